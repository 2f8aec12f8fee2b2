/**
 * What tests of tools in sessions are made of: a list of tools that changes under a conversation, and a reader that knows
 * of tools what a model knows that is sent a turn, from definitions and words alone.
 */
import type { AdmittedUpdate, PlainMessage, SessionsOptions, Tool, Turn } from '../../src/index.ts'
import { startAgent, type Agent } from './session.ts'

export const tool = (name: string, description = `Does ${name}.`, extra: object = {}): Tool => ({
  name,
  description,
  input_schema: { type: 'object', properties: { path: { type: 'string' } }, ...extra },
})

/** The same tool, taking something else. */
export const edited = (name: string): Tool => tool(name, `Does ${name}.`, { required: ['path'] })

/** An agent whose tools are what `tools` holds. */
export function agentWith(
  tools: Tool[],
  options: Partial<SessionsOptions<PlainMessage>> = {},
): Agent & { readonly tools: Tool[] } {
  return Object.assign(startAgent({ tools: () => tools, ...options }), { tools })
}

/** How a tool of a {@link Toolbox} is defined: what it takes, and in which words it is described. */
export interface ToolShape {
  readonly takes: string
  readonly described: string
}

/** Tools that come, go and change. Each list has them in another order, and their keys too, neither of which means anything. */
export class Toolbox {
  failing = false
  /** How often the list was read. */
  reads = 0
  readonly #shapes = new Map<string, ToolShape>()

  constructor(shapes: Readonly<Record<string, ToolShape>> = {}) {
    for (const [name, shape] of Object.entries(shapes)) this.set(name, shape)
  }

  set(name: string, shape: ToolShape | null): void {
    if (shape === null) this.#shapes.delete(name)
    else this.#shapes.set(name, shape)
  }

  /** The list without counting as a read. */
  get tools(): readonly Tool[] {
    return [...this.#shapes].map(([name, shape]) => toolOf(name, shape))
  }

  /** For the option `tools` of `createSessions`. */
  read(): readonly Tool[] {
    const turned = this.reads++ % 2 === 1
    if (this.failing) throw new Error('cannot be listed')
    return turned ? this.tools.map(turnKeys).toReversed() : this.tools
  }
}

function toolOf(name: string, { takes, described }: ToolShape): Tool {
  const properties = { [takes]: { type: 'string', description: described } }
  return { name, description: described, input_schema: { type: 'object', properties } }
}

/** What a tool of a {@link Toolbox} is, however it is described. */
export function descriptionsAside(tool: Tool): unknown {
  const { properties } = tool['input_schema'] as { properties: object }
  return [tool['name'], Object.keys(properties)]
}

function turnKeys(tool: Tool): Tool {
  return Object.fromEntries(Object.entries(tool).toReversed())
}

/** The tools that a model believes it may call, by name, and as it knows them. */
type ToolBeliefs = Readonly<Record<string, Tool>>

type Words = Pick<AdmittedUpdate, 'text' | 'tools'>

/** What a model believes that was given `frozen` and then these updates, in their order. */
export function toolBeliefsFrom(frozen: readonly Tool[], updates: readonly Words[]): ToolBeliefs {
  const known = new Map(frozen.map((tool) => [nameOf(tool), tool]))
  const gone = new Set<string>()
  for (const { text, tools } of updates) {
    for (const sentence of text.split('\n')) {
      for (const name of namesIn(sentence, /no longer available: calls to (it|them) will fail\.$/)) gone.add(name)
      for (const name of namesIn(sentence, /no longer what was defined above: calls made by .* will fail\.$/))
        gone.add(name)
      for (const name of namesIn(sentence, /available again, as first defined\.$/)) {
        gone.delete(name)
        known.set(
          name,
          frozen.find((tool) => nameOf(tool) === name)!,
        )
      }
    }
    for (const tool of tools?.added ?? []) {
      const name = nameOf(tool)
      const holds = gone.has(name) ? undefined : known.get(name)
      if (holds !== undefined && JSON.stringify(holds) !== JSON.stringify(tool)) {
        throw new Error(`Which definition of ${name} holds?`)
      }
      known.set(name, tool)
      gone.delete(name)
    }
  }
  return Object.fromEntries([...known].filter(([name]) => !gone.has(name)).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** What a model believes that was sent this turn. */
export function toolBeliefsOf({ tools, entries }: Pick<Turn<PlainMessage>, 'tools' | 'entries'>): ToolBeliefs {
  return toolBeliefsFrom(
    tools?.definitions ?? [],
    entries.flatMap((entry) => (entry.type === 'update' ? [entry] : [])),
  )
}

function namesIn(sentence: string, end: RegExp): string[] {
  const [, names] = /^The tools? ("[^"]+"(?:, "[^"]+")*) (?:is|are) /.exec(sentence) ?? []
  return names === undefined || !end.test(sentence) ? [] : (JSON.parse(`[${names}]`) as string[])
}

function nameOf(tool: Tool): string {
  return String(tool['name'])
}
