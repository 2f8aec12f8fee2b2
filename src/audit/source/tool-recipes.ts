/** Changes to the list of tools. `createSessions({ tools })` does what all of them do; each is also written out by itself. */
import type { Api, JoinedRecipe } from './types.ts'

/** A change for every place of its kind, used where its comment says. */
function functionOf(name: string, write: (variable: string) => string): JoinedRecipe {
  return { name, joined: true, gives: 'function', imports: {}, write }
}

export const toolReordered: JoinedRecipe = functionOf(
  'toolReordered',
  (variable) => `/**
 * The tools by the code units of their names: the same on every machine and in every locale. \`createSessions({ tools })\`
 * sorts by itself.
 */
export function ${variable}<T>(tools: readonly T[], nameOf: (tool: T) => string): T[] {
  return [...tools].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : nameOf(one) > nameOf(other) ? 1 : 0))
}`,
)

/** APIs that take a tool in mid-conversation. */
const taking: ReadonlySet<Api> = new Set<Api>(['anthropic', 'openai-responses'])

/** What becomes of a new tool: appended where the API takes that, else held. */
export function toolAdded(api: Api): JoinedRecipe {
  return {
    name: 'toolAdded',
    joined: true,
    gives: 'options',
    imports: {},
    write: (variable) =>
      taking.has(api)
        ? `/** For \`createSessions\`: a new tool is appended where the model takes that; 'hold' keeps it for the next epoch. */
export const ${variable} = { onToolAdded: 'append' } as const`
        : `/** For \`createSessions\`: this API takes no tool in mid-conversation, so that a new one waits for the next epoch. */
export const ${variable} = { onToolAdded: 'hold' } as const`,
  }
}

export const toolRemoved: JoinedRecipe = functionOf(
  'toolRemoved',
  (
    variable,
  ) => `/** What a call is answered with when its tool is gone: the definition stays. A session tells the model by itself. */
export function ${variable}(tool: string): string {
  return \`The tool \${tool} is no longer available.\`
}`,
)

export const toolEdited: JoinedRecipe = functionOf(
  'toolEdited',
  (variable) => `/**
 * Each definition as it was first sent; make one for each conversation. \`createSessions({ tools })\` freezes by itself.
 * What changes in a description is a source, not a tool.
 */
export function ${variable}<T>(nameOf: (tool: T) => string): (tools: readonly T[]) => T[] {
  const first = new Map<string, T>()
  return (tools) =>
    tools.map((tool) => {
      const known = first.get(nameOf(tool)) ?? tool
      first.set(nameOf(tool), known)
      return known
    })
}`,
)

export const schemaKeyOrder: JoinedRecipe = functionOf(
  'schemaKeyOrder',
  (
    variable,
  ) => `/** A schema with the keys of its objects in one order. To \`createSessions({ tools })\`, other keys first is no change. */
export function ${variable}(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(${variable})
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
  return Object.fromEntries(entries.map(([key, value]) => [key, ${variable}(value)]))
}`,
)
