/**
 * What happens around the agent of every example, the same in each run: what the user asks, what the tools do, and what
 * changes meanwhile. An agent in earnest has a terminal, a repository and a clock here.
 */

/** A tool as the host knows it; each example puts it in its provider's shape. */
export interface HostTool {
  readonly name: string
  readonly description: string
  /** A JSON Schema. */
  readonly parameters: {
    readonly type: 'object'
    readonly properties: Readonly<Record<string, { readonly type: 'string' }>>
    readonly required: string[]
  }
}

const readFile = tool('read_file', 'Returns the text of a file.', 'path')
const switchBranch = tool('switch_branch', 'Checks another branch out.', 'branch')
const runTests = tool('run_tests', 'Runs the tests whose names match.', 'pattern')

/** First words of the instructions, by which a request that holds them can be known. */
export const opening = 'You are a careful engineer.'

/** Some 6,000 tokens: more than any model of the examples asks for before it caches anything. */
export const instructions: string = [
  opening,
  ...Array.from(
    { length: 350 },
    (_, index) => `Rule ${index + 1}: say what you did, what you saw, and what you left open.`,
  ),
].join('\n')

let now = Date.parse('2026-12-01T23:58:00Z')
let rebasing = false

/** The state of the world. The host's sources read it. */
export const world: {
  branch: string
  mode: string
  /** In no particular order: sessions sort them. */
  tools: readonly HostTool[]
  now(): Date
  /** Runs a tool: what it returns is what the model sees. Throws for one that is not there. */
  run(name: string): string
  /** Called at each piece of a streamed answer: once, the user has seen enough of it. */
  interrupt(request: AbortController): void
} = {
  branch: 'main',
  mode: 'edit',
  tools: [switchBranch, readFile],
  now: () => new Date(now),
  run(name) {
    if (!world.tools.some((known) => known.name === name))
      throw new Error(`The model called ${name}, which is not there.`)
    if (name === switchBranch.name) world.branch = 'fix/login'
    return `${name} did what it is there for.`
  },
  interrupt(request) {
    if (!rebasing) return
    rebasing = false
    world.branch = 'release'
    request.abort()
  },
}

/** What the user asks, and before each question what happened since the last. */
export function* questions(): Generator<string> {
  yield 'Fix the failing test.'

  // Midnight passes while the user changes the mode: two changes at once.
  now += 2 * minute
  world.mode = 'review'
  yield 'Is it ready for the release?'

  // The user interrupts the answer to this one, and has the branch rebased before the agent goes on.
  now += minute
  world.mode = 'edit'
  rebasing = true
  yield 'Then write the notes.'

  // One tool is withdrawn, another one comes.
  now += minute
  world.tools = [runTests, readFile]
  yield 'Check them once more.'

  now += minute
  yield 'Thank you.'
}

/** How many requests of the conversation are answered. */
export const turns = 8

const minute = 60_000

function tool(name: string, description: string, parameter: string): HostTool {
  return {
    name,
    description,
    parameters: { type: 'object', properties: { [parameter]: { type: 'string' } }, required: [parameter] },
  }
}
