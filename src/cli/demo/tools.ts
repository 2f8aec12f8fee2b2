/** The tools of the demo's agent. The model is scripted, they are not: each call runs against the repository. */
import type { World } from './world.ts'

/** What each tool is called with. */
interface ToolInputs {
  readonly commit_file: { readonly path: string; readonly subject: string }
  readonly list_files: { readonly limit: number }
  readonly read_file: { readonly path: string }
  readonly read_log: { readonly count: number }
  readonly write_note: { readonly path: string; readonly line: string }
}

type ToolName = keyof ToolInputs

/** A call of one of the tools. */
export type ToolCall = { [Name in ToolName]: { readonly name: Name; readonly input: ToolInputs[Name] } }[ToolName]

/** A call as it stands in an answer: with an id that no other has. */
export type IdentifiedCall = ToolCall & { readonly id: string }

export interface ToolResult {
  readonly text: string
  readonly failed: boolean
}

/** What came of a call. */
export interface AnsweredCall extends ToolResult {
  readonly call: IdentifiedCall
}

interface Tool<Input> {
  readonly description: string
  /** Each property of the input; all are required. */
  readonly properties: { readonly [Name in keyof Input]: PropertySchema }
  /** Resolves to what the model is given. Rejects with `ENOENT` where the model named a file that is not there. */
  run(input: Input, world: World): Promise<string>
}

const path = { type: 'string', description: 'Path of the file, from the top of the repository.' }

const tools: { readonly [Name in ToolName]: Tool<ToolInputs[Name]> } = {
  commit_file: {
    description: 'Commits one file as it is now, on the branch that is checked out.',
    properties: { path, subject: { type: 'string', description: 'The subject line of the commit.' } },
    async run(input, { repository, now }) {
      await repository.commit(input.path, input.subject, { name: 'Agent', at: now() })
      return repository.log(1)
    },
  },
  list_files: {
    description: 'Lists the files that the repository tracks, by path.',
    properties: { limit: { type: 'integer', minimum: 1, maximum: 500, description: 'How many files to list.' } },
    async run(input, { repository }) {
      const paths = (await repository.git(['ls-files'])).split('\n')
      return paths.slice(0, input.limit).join('\n')
    },
  },
  read_file: {
    description: 'Returns the text of one file.',
    properties: { path },
    run: (input, { repository }) => repository.read(input.path),
  },
  read_log: {
    description: 'Returns the newest commits: hash, date, author and subject, one in a line.',
    properties: {
      count: { type: 'integer', minimum: 1, maximum: 50, description: 'How many commits to return.' },
    },
    run: (input, { repository }) => repository.log(input.count),
  },
  write_note: {
    description:
      'Adds a line to the end of a file at the top of the repository, and makes the file where there is none.',
    properties: { path, line: { type: 'string', description: 'The line, without its newline.' } },
    async run(input, { repository }) {
      await repository.write(input.path, (before = '') => `${before}${input.line}\n`)
      return `Added a line to ${input.path}.`
    },
  },
}

/** What the model is told of a tool. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly input: ObjectSchema
}

/** JSON Schema. Aliases and no interfaces: only those may be passed where an SDK takes any keys. */
type PropertySchema = { [keyword: string]: string | number }
type ObjectSchema = {
  readonly type: 'object'
  readonly properties: { [name: string]: PropertySchema }
  readonly required: string[]
  readonly additionalProperties: false
}

/** The definitions, by name; each provider has a shape of its own for them. */
export const toolDefinitions: readonly ToolDefinition[] = Object.entries<
  Pick<Tool<unknown>, 'description' | 'properties'>
>(tools)
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, { description, properties }]) => ({
    name,
    description,
    input: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
  }))

/** Runs a call. A file that is not there is a result too; a repository that does not work is an error. */
export async function runTool({ name, input }: ToolCall, world: World): Promise<ToolResult> {
  const tool = tools[name] as Tool<typeof input>
  try {
    const text = (await tool.run(input, world)).trimEnd()
    return { text: text === '' ? '(nothing)' : text, failed: false }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return { text: 'There is no such file.', failed: true }
  }
}
