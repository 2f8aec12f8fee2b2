/** Changes to the request around the conversation: what stands beside it, its newest message, its breakpoints and their lifetime. */
import type { Api, JoinedRecipe, OtherRemedy } from './types.ts'

function functionOf(name: string, write: JoinedRecipe['write']): JoinedRecipe {
  return { name, joined: true, gives: 'function', imports: {}, write }
}

export const besidePrompt: JoinedRecipe = functionOf(
  'id',
  (variable) => `/** Headers for the request: an id in them is in your logs and in no prompt. */
export function ${variable}(id: string): { readonly 'x-request-id': string } {
  return { 'x-request-id': id }
}`,
)

export const newestMessage: JoinedRecipe = functionOf(
  'count',
  (variable) => `/** What the user says, with what is counted at its end: nothing that was sent before is sent again. */
export function ${variable}(question: string, count: string): string {
  return \`\${question}\\n\\n\${count}\`
}`,
)

export const headerBlock: JoinedRecipe = functionOf(
  'headerBlock',
  (variable) => `/** The system prompt without the header that a client puts in front of it. */
export function ${variable}<B extends { readonly text?: string }>(system: readonly B[]): B[] {
  return system.filter(({ text }) => text === undefined || !/^\\s*x-[\\w-]+:[^\\n]*$/i.test(text))
}`,
)

export const parameter: JoinedRecipe = functionOf(
  'parameters',
  (
    variable,
  ) => `/** Parameters that are chosen once, before the first request, and passed with each one of a conversation. */
export function ${variable}<P extends object>(chosen: P): Readonly<P> {
  return Object.freeze({ ...chosen })
}`,
)

/** Breakpoints where they serve the next request, in the field of the API. */
export function breakpoints(api: Api): JoinedRecipe {
  return functionOf('breakpoints', api === 'bedrock' ? cachePoints : (variable) => marked(variable, markOf(api)))
}

function cachePoints(variable: string): string {
  return `/** Blocks with a breakpoint behind them: of the tools, the system prompt and the newest message. The adapter places its own. */
export function ${variable}<B extends object>(blocks: readonly B[]): (B | { readonly cachePoint: { readonly type: 'default' } })[] {
  return blocks.length === 0 ? [] : [...blocks, { cachePoint: { type: 'default' } }]
}`
}

function marked(variable: string, { field, type, value }: Mark): string {
  return `/** Blocks with a breakpoint on the last: of the tools, the system prompt and the newest message. The adapter places its own. */
export function ${variable}<B extends object>(
  blocks: readonly B[],
): (B | (B & { readonly ${field}: ${type} }))[] {
  return blocks.map((block, index) => (index === blocks.length - 1 ? { ...block, ${field}: ${value} } : block))
}`
}

interface Mark {
  readonly field: string
  readonly type: string
  readonly value: string
}

function markOf(api: Api): Mark {
  return api === 'openai-chat' || api === 'openai-responses'
    ? { field: 'prompt_cache_breakpoint', type: "{ readonly mode: 'explicit' }", value: "{ mode: 'explicit' }" }
    : { field: 'cache_control', type: "{ readonly type: 'ephemeral' }", value: "{ type: 'ephemeral' }" }
}

/** The change for a step of the plan. */
export function recipeForRemedy(remedy: OtherRemedy, api: Api): JoinedRecipe {
  switch (remedy.type) {
    case 'ttl':
      return lifetime(api)
    case 'breakpoints':
      return breakpoints(api)
    case 'keep-alive':
      return functionOf('keepAlive', (variable) => keepAlive(variable, remedy.pings))
  }
}

/** An adapter of an API that lets the caller name a lifetime takes it as an option; elsewhere it stands on the block. */
function lifetime(api: Api): JoinedRecipe {
  const base = { name: 'lifetime', joined: true, imports: {} } as const
  if (api === 'anthropic' || api === 'bedrock') {
    return {
      ...base,
      gives: 'adapter-options',
      write: (variable) => `/** For the adapter. On a breakpoint of your own, it is a field beside \`type\`. */
export const ${variable} = { ttl: '1h' } as const`,
    }
  }
  return {
    ...base,
    gives: 'function',
    write: (variable) => `/** For a block with a breakpoint, where what is behind this API takes one. */
export const ${variable} = { cache_control: { type: 'ephemeral', ttl: '1h' } } as const`,
  }
}

function keepAlive(variable: string, pings: number): string {
  return `/**
 * Keeps a cache entry through a pause. \`send\` sends the last request again, with one token of output; call what is
 * returned when the conversation goes on. \`lifetime\` is that of the entry, in seconds.
 */
export function ${variable}(send: () => Promise<unknown>, lifetime = 300): () => void {
  let left = ${pings}
  const timer = setInterval(
    () => {
      left -= 1
      if (left <= 0) clearInterval(timer)
      send().catch(() => clearInterval(timer))
    },
    (lifetime - 30) * 1000,
  )
  return () => clearInterval(timer)
}`
}
