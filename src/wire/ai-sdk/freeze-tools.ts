/**
 * A middleware that keeps the list of tools the same from call to call: in one order, and, with a session that has tools, as
 * they were frozen when its epoch began. It runs below the SDK's own tool loop, which goes on to execute what is there.
 */
import type { LanguageModelMiddleware } from 'ai'
import type { Tool, TurnView } from '../../session/types.ts'

type CallParams = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params']
type CallTools = NonNullable<CallParams['tools']>

/** Where the newest turn is had from: what `prepareStep` returns, or any object with it. */
export interface TurnHolder {
  readonly turn: Pick<TurnView<never>, 'tools'> | null
}

/** For `wrapLanguageModel({ model, middleware })`. Without `from`, tools are only put in order. */
export function freezeTools(from?: TurnHolder): LanguageModelMiddleware {
  return {
    transformParams: ({ params }) => {
      const frozen = from?.turn?.tools?.definitions
      // A call without tools is not of the conversation: a title, a summary.
      if (params.tools === undefined || params.tools.length === 0) return Promise.resolve(params)
      const tools = frozen === undefined ? inOrder(params.tools) : (frozen as unknown as CallTools)
      return Promise.resolve({ ...params, tools })
    },
  }
}

function inOrder(tools: CallTools): CallTools {
  return tools.toSorted(({ name: a }, { name: b }) => (a < b ? -1 : a > b ? 1 : 0))
}

/** A tool of a `ToolSet`, as far as a definition needs it. */
interface SetTool {
  readonly type?: string | undefined
  readonly description?: unknown
  readonly inputSchema?: unknown
  readonly inputExamples?: unknown
  readonly id?: unknown
  readonly args?: unknown
  readonly strict?: boolean | undefined
  readonly providerOptions?: unknown
}

/**
 * The tools of a `ToolSet` as definitions, for `createSessions({ tools })`. `asSchema` is the SDK's: it turns whatever schema a
 * tool has into JSON Schema.
 *
 * @example
 * ```ts
 * import { asSchema, tool } from 'ai'
 * import { toolsOf } from 'indelible/ai-sdk'
 * import { z } from 'zod'
 *
 * const tools = { read: tool({ description: 'Reads a file.', inputSchema: z.object({ path: z.string() }) }) }
 * console.log((await toolsOf(tools, asSchema)).map(({ name }) => name)) // => [ 'read' ]
 * ```
 */
export async function toolsOf(
  tools: Readonly<Record<string, SetTool>>,
  asSchema: (schema: never) => { readonly jsonSchema: unknown },
): Promise<Tool[]> {
  return Promise.all(Object.entries(tools).map(([name, tool]) => definitionOf(name, tool, asSchema)))
}

async function definitionOf(
  name: string,
  { type, description, inputSchema, inputExamples, id, args, strict, providerOptions }: SetTool,
  asSchema: (schema: never) => { readonly jsonSchema: unknown },
): Promise<Tool> {
  if (type === 'provider') return { type: 'provider', id, name, args }
  return {
    type: 'function',
    name,
    // One that is worked out for each call has no place in a frozen prefix.
    ...(typeof description === 'string' && { description }),
    inputSchema: await asSchema(inputSchema as never).jsonSchema,
    ...(inputExamples !== undefined && { inputExamples }),
    ...(providerOptions !== undefined && { providerOptions }),
    ...(strict !== undefined && { strict }),
  }
}
