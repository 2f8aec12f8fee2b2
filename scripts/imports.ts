/**
 * What a module imports, read from its syntax tree: statements, re-exports, `import()` in code and in types, `require()`
 * and `process.getBuiltinModule()`. One reader serves sources and built output, so that the tests that keep the layers
 * apart agree on what an import is.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** The folder of `package.json`, absolute. */
export const projectRoot: string = fileURLToPath(new URL('..', import.meta.url))

/** One mention of another module. */
export interface ModuleImport {
  /** As written; null where a call is given something else than a literal. */
  readonly specifier: string | null
  /** True when nothing of it is left at run time. `import { type A }` still loads the module, so it does not count. */
  readonly typeOnly: boolean
  /** From 1. */
  readonly line: number
}

/** Every import in `text`, in the order of the source. */
export function readImports(fileName: string, text: string): ModuleImport[] {
  const file = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest)
  const imports: ModuleImport[] = []
  const add = (node: ts.Node, specifier: ts.Node | undefined, typeOnly: boolean): void => {
    const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
    imports.push({
      specifier: specifier !== undefined && ts.isStringLiteralLike(specifier) ? specifier.text : null,
      typeOnly,
      line,
    })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      add(node, node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword)
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
      add(node, node.moduleSpecifier, node.isTypeOnly)
    } else if (ts.isCallExpression(node) && loadsModule(node.expression)) {
      add(node, node.arguments[0], false)
    } else if (ts.isImportTypeNode(node)) {
      add(node, ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, true)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return imports
}

function loadsModule(callee: ts.Expression): boolean {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return true
  if (ts.isIdentifier(callee)) return callee.text === 'require'
  return ts.isPropertyAccessExpression(callee) && callee.name.text === 'getBuiltinModule'
}

/** The TypeScript files below `folder`, as sorted paths relative to the project root. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(resolve(projectRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(projectRoot, resolve(entry.parentPath, entry.name)))
    .sort()
}

/**
 * Follows the imports of a built module, dynamic ones and those into dependencies included, and returns each chain that
 * ends in a module of Node, as `['/.../index.js', './base/digest.js', 'node:crypto']`. A load of a computed name
 * could be anything and counts as one.
 */
export function chainsToNode(entry: string): readonly (readonly string[])[] {
  const found: string[][] = []
  const seen = new Set<string>()
  const walk = (file: string, chain: readonly string[]): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const { specifier } of readImports(file, readFileSync(file, 'utf8'))) {
      if (specifier === null) found.push([...chain, 'a computed name'])
      else if (specifier.startsWith('node:') || isBuiltin(specifier)) found.push([...chain, specifier])
      else if (specifier.startsWith('.')) walk(resolve(dirname(file), specifier), [...chain, specifier])
      else walk(resolvePackage(file, specifier), [...chain, specifier])
    }
  }
  walk(entry, [entry])
  return found
}

/** A package as a browser gets it: what it has for Node alone is not taken. */
function resolvePackage(file: string, specifier: string): string {
  const forNode = createRequire(file).resolve(specifier)
  const [scope, name] = specifier.split('/')
  const folder = specifier.startsWith('@') ? `${scope}/${name}` : scope
  const root = forNode.slice(0, forNode.lastIndexOf(`node_modules/${folder}/`) + `node_modules/${folder}/`.length)
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { exports?: Exports }
  const target = exports?.[`.${specifier.slice(folder?.length)}`]
  const forBrowser = typeof target === 'object' && 'node' in target ? pick(target.import ?? target.default) : undefined
  return typeof forBrowser === 'string' ? resolve(root, forBrowser) : forNode
}

/** The file of a condition, which may ask for more of them. */
function pick(target: Target): Target {
  return typeof target === 'object' ? target.default : target
}

type Target = string | { readonly default?: string } | undefined

interface Exports {
  readonly [subpath: string]: string | { readonly node?: unknown; readonly import?: Target; readonly default?: Target }
}
