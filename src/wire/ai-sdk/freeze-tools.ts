/**
 * A middleware that keeps the list of tools the same from call to call: in one order, and, with a session that has tools, as
 * they were frozen when its epoch began. It runs below the SDK's own tool loop, which goes on to execute what is there.
 */
import type { LanguageModelMiddleware } from 'ai'
import { canonicalJson } from '../../base/json.ts'
import type { Tool, TurnView } from '../../session/types.ts'
import { explainUpdateTag } from '../update-tag.ts'

type CallParams = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params']
type CallTools = NonNullable<CallParams['tools']>

/** Where the newest turn is had from: what `prepareStep` returns, or any object with it. */
export interface TurnHolder {
  readonly turn: Pick<TurnView<never>, 'tools' | 'nonce'> | null
}

/**
 * For `wrapLanguageModel({ model, middleware })`. Without `from`, tools are only put in order. With it, calls whose prompt is the
 * turn's get the frozen tools, whatever they were given, and others, a title or a summary, are left their own.
 */
export function freezeTools(from?: TurnHolder): LanguageModelMiddleware {
  return {
    transformParams: ({ params }) => Promise.resolve(withTools(params, toolsFor(params, from?.turn ?? null))),
  }
}

/**
 * The same without a session: every call with tools is sent the list of the first one, in order. `onChange` is told of each
 * call whose own list says something else, whatever the order of tools and keys. For a model that one agent uses: the list of
 * another would be taken for a change.
 */
export function freezeFirstTools({ onChange }: FirstToolsOptions = {}): LanguageModelMiddleware {
  let frozen: CallTools | undefined
  return {
    transformParams: ({ params }) => {
      const current = params.tools && inOrder(params.tools)
      if (current === undefined || current.length === 0) return Promise.resolve(params)
      frozen ??= current
      if (canonicalJson(current) !== canonicalJson(frozen)) {
        onChange?.({ frozen: toolList(frozen), current: toolList(current) })
      }
      return Promise.resolve({ ...params, tools: frozen })
    },
  }
}

/** How a list is frozen without a session. */
export interface FirstToolsOptions {
  /** Told of the list that is sent, and of the one that was given. */
  readonly onChange?: (lists: { readonly frozen: readonly Tool[]; readonly current: readonly Tool[] }) => void
}

function toolList(tools: CallTools): readonly Tool[] {
  return tools as readonly object[] as readonly Tool[]
}

/** A prompt is the turn's when it holds the line that explains its tag, which no other prompt has. */
function toolsFor({ prompt, tools }: CallParams, turn: TurnHolder['turn']): CallTools | undefined {
  const frozen = turn?.tools?.definitions
  if (turn === null || frozen === undefined) return tools && inOrder(tools)
  const line = explainUpdateTag(turn.nonce)
  const isOfTurn = prompt.some(({ role, content }) => role === 'system' && content.endsWith(line))
  return isOfTurn ? (frozen as unknown as CallTools) : tools && inOrder(tools)
}

function withTools(params: CallParams, tools: CallTools | undefined): CallParams {
  return tools === undefined || tools.length === 0 ? params : { ...params, tools }
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
