/** The six tools of the agent: how they are defined, and what they do to the repository. */
import type { Workspace } from './workspace.ts'

/** A tool as every SDK can be given it. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly schema: {
    readonly type: 'object'
    readonly properties: Readonly<Record<string, object>>
    readonly required: string[]
    readonly additionalProperties: false
  }
}

export type ToolInput = Readonly<Record<string, unknown>>

const path = { type: 'string', description: 'A path from the root of the repository, with slashes.' }

/** In the order of their names, as Indelible sends them. */
export const toolDefinitions: readonly ToolDefinition[] = [
  {
    name: 'commit_changes',
    description:
      'Commits files as they are now, on the branch that is checked out. Only the paths that are given go into the commit. ' +
      'Returns the id of the commit.',
    schema: schemaOf({
      paths: { type: 'array', items: path, minItems: 1, description: 'The files that belong to the change.' },
      subject: { type: 'string', maxLength: 60, description: 'In the imperative, without a full stop.' },
      body: { type: 'string', description: 'Why, in whole sentences.' },
    }),
  },
  {
    name: 'edit_file',
    description:
      'Replaces a piece of text in a file. The piece has to occur exactly once; give enough of what stands around it. ' +
      'Line numbers are not part of the text.',
    schema: schemaOf({
      path,
      before: { type: 'string', minLength: 1, description: 'The piece as it is, with its indentation.' },
      after: { type: 'string', description: 'What is to stand there.' },
    }),
  },
  {
    name: 'list_files',
    description: 'Lists the files below a folder, by path, with how many lines they have.',
    schema: schemaOf({
      folder: { type: 'string', description: 'A folder, or an empty text for the whole repository.' },
    }),
  },
  {
    name: 'read_file',
    description: 'Reads a whole file. Each line begins with its number, which is not part of the file.',
    schema: schemaOf({ path }),
  },
  {
    name: 'run_tests',
    description: 'Runs the tests of one area, or all of them, and returns what failed and why.',
    schema: schemaOf({ area: { type: 'string', description: 'As `refunds`; an empty text for all.' } }),
  },
  {
    name: 'search_text',
    description: 'Finds a text in all files, as it is, and returns each line that has it with its path and number.',
    schema: schemaOf({ text: { type: 'string', minLength: 2, description: 'What to look for. It is no pattern.' } }),
  },
]

function schemaOf(properties: Readonly<Record<string, object>>): ToolDefinition['schema'] {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

/** Runs a call and returns what the model is told of it. Throws for a call that the script should not have made. */
export function runTool(workspace: Workspace, name: string, input: ToolInput): string {
  const tool = runners[name]
  if (tool === undefined) throw new Error(`The script calls ${name}, which is no tool`)
  return tool(workspace, input)
}

const runners: Readonly<Record<string, (workspace: Workspace, input: ToolInput) => string>> = {
  commit_changes(workspace, { paths, subject }) {
    const committed = paths as string[]
    const id = workspace.commit(committed)
    return `[${workspace.branch} ${id}] ${String(subject)}\n ${committed.length} files changed`
  },
  edit_file(workspace, { path, before, after }) {
    const text = fileAt(workspace, path)
    const pieces = text.split(String(before))
    if (pieces.length !== 2) throw new Error(`The piece occurs ${pieces.length - 1} times in ${String(path)}`)
    workspace.write(String(path), pieces.join(String(after)))
    return `Replaced one piece in ${String(path)}.`
  },
  list_files: (workspace, { folder }) =>
    workspace
      .paths()
      .filter((path) => path.startsWith(String(folder)))
      .map((path) => `${path} (${linesOf(fileAt(workspace, path)).length} lines)`)
      .join('\n'),
  read_file: (workspace, { path }) =>
    linesOf(fileAt(workspace, path))
      .map((line, index) => `${String(index + 1).padStart(5)}\t${line}`)
      .join('\n'),
  run_tests: (workspace, { area }) => reportOf(workspace, String(area)),
  search_text: (workspace, { text }) =>
    workspace
      .paths()
      .flatMap((path) =>
        linesOf(fileAt(workspace, path)).flatMap((line, index) =>
          line.includes(String(text)) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
        ),
      )
      .join('\n'),
}

function fileAt(workspace: Workspace, path: unknown): string {
  const text = workspace.read(String(path))
  if (text === undefined) throw new Error(`There is no ${String(path)}`)
  return text
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, '').split('\n')
}

/** A run as `node --test` would report it. A test about what is kept fails as long as a share of a share is taken. */
function reportOf(workspace: Workspace, area: string): string {
  const files = workspace.paths().filter((path) => path.startsWith(`test/${area}`))
  const lines: string[] = []
  let [passed, failed] = [0, 0]
  for (const file of files) {
    const name = file.slice('test/'.length, -'.test.ts'.length)
    const isWrong = fileAt(workspace, `src/${name}/service.ts`).includes('shareOf(shareOf(')
    for (const line of linesOf(fileAt(workspace, file))) {
      const title = /^ {2}it\('(.*)', /.exec(line)?.[1]
      if (title === undefined) continue
      const fails = isWrong && title.includes('kept')
      lines.push(`${fails ? '✖' : '✔'} ${name} > ${title}`)
      if (fails) lines.push('    AssertionError: Expected values to be strictly equal: 1273 !== 1274')
      if (fails) failed++
      else passed++
    }
  }
  return [...lines, `tests ${passed + failed}, pass ${passed}, fail ${failed}`].join('\n')
}
