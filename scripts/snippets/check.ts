/** Type-checks snippets against the sources, all in one program, under the settings of `tsconfig.json`. */
import { join, relative } from 'node:path'
import ts from 'typescript'
import { libraryEntries } from '../entries.ts'
import { projectRoot } from '../imports.ts'
import { snippetCode, snippetName, type Snippet } from './extract.ts'

/** What the compiler has to say, as `README.md:12 Type 'string' is not assignable ...`. */
export function checkSnippets(snippets: readonly Snippet[]): string[] {
  // The files exist in memory only, at the root of the project, where imports of packages resolve as in our own code.
  const virtual = new Map(snippets.map((snippet) => [join(projectRoot, snippetName(snippet)), snippet]))
  const options = compilerOptions()
  const host = ts.createCompilerHost(options)
  const read = (path: string): string | undefined => {
    const snippet = virtual.get(path)
    return snippet === undefined ? ts.sys.readFile(path) : snippetCode(snippet)
  }
  host.fileExists = (path) => virtual.has(path) || ts.sys.fileExists(path)
  host.readFile = read
  host.getSourceFile = (path, languageVersion) => {
    const text = read(path)
    return text === undefined ? undefined : ts.createSourceFile(path, text, languageVersion)
  }

  const program = ts.createProgram({ rootNames: [...virtual.keys()], options, host })
  const diagnostics = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()]
  for (const path of virtual.keys()) {
    const source = program.getSourceFile(path)
    diagnostics.push(...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source))
  }
  return diagnostics.map((diagnostic) => describe(diagnostic, virtual))
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(projectRoot, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: object
  }
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, projectRoot)
  return {
    ...options,
    paths: Object.fromEntries(libraryEntries.map(({ specifier, source }) => [specifier, [join(projectRoot, source)]])),
    // A snippet shows a value that it has no further use for, and it is no module that others import.
    noUnusedLocals: false,
    declaration: false,
    isolatedDeclarations: false,
  }
}

function describe({ file, start, messageText }: ts.Diagnostic, virtual: ReadonlyMap<string, Snippet>): string {
  const message = ts.flattenDiagnosticMessageText(messageText, '\n')
  if (file === undefined || start === undefined) return message
  const line = file.getLineAndCharacterOfPosition(start).line + 1
  return `${virtual.get(file.fileName)?.file ?? relative(projectRoot, file.fileName)}:${line} ${message}`
}
