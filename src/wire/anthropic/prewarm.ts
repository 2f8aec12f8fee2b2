/**
 * A request that only fills the cache (`max_tokens: 0`), so that the first real one reads what it would have written. It is
 * lowered as that one will be; where nobody has said anything yet, a message stands in that is not part of what is written.
 */
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import { anthropicBreakpoints } from '../../cache/index.ts'
import type { TurnView } from '../../session/types.ts'
import { RequestInvalidError } from '../errors.ts'
import { decideFeature } from '../features.ts'
import type { LoweringWarning } from '../warnings.ts'
import { lowerTurn } from './lower-turn.ts'
import type { AnthropicOptions, AnthropicParams, AnthropicRequest } from './types.ts'

/** A request that is not streamed. */
type Prewarm = AnthropicRequest<{ readonly stream: false }>

/**
 * Builds the request that fills the cache for a turn and those after it. `params` are those of the real requests; what the API
 * refuses of them here is left out, with a warning for what is thereby filled under other parameters. Throws
 * `RequestInvalidError` where the platform has no such request, and as `toAnthropicMessages` does for parameters.
 *
 * @example
 * ```ts no-run
 * import Anthropic from '@anthropic-ai/sdk'
 * import type { TurnView } from 'indelible'
 * import { prewarm } from 'indelible/anthropic'
 *
 * // Before several sessions or agents start that share what stands at the front of the first one's turn.
 * export async function fill(client: Anthropic, turn: TurnView<Anthropic.MessageParam>): Promise<void> {
 *   const { body, headers } = prewarm(turn, { model: 'claude-opus-5-5', max_tokens: 4096 })
 *   await client.messages.create(body, { headers })
 * }
 * ```
 */
export function prewarm(
  turn: TurnView<MessageParam>,
  params: AnthropicParams,
  options: AnthropicOptions = {},
): Prewarm {
  const { platform = 'anthropic' } = options
  if (decideFeature(turn, { model: params.model, platform, feature: 'prewarm' }) !== 'supported') {
    throw new RequestInvalidError(
      `Platform ${JSON.stringify(platform)} has no request that only fills the cache. ` +
        'Send the first real request by itself, and the others once its response has begun.',
    )
  }
  const { fillable, without } = fillableOf(params)
  const { empty: _empty, warnings, ...request } = lowerTurn(turn, fillable, explicit(params, options), 'stand in')
  const left = without.map((parameter): LoweringWarning => ({ type: 'prewarm-without', parameter }))
  return { ...(request as unknown as Prewarm), warnings: [...warnings, ...left] }
}

/** The options under which our tail does what an automatic breakpoint would, which might land on what only stands in. */
function explicit({ cache_control: automatic }: AnthropicParams, options: AnthropicOptions): AnthropicOptions {
  if (!automatic) return options
  const { defaultTtl, ttls } = anthropicBreakpoints
  const { ttl: asked = defaultTtl } = options
  const tail = automatic.ttl ?? defaultTtl
  const head = typeof asked === 'string' ? asked : asked.head
  return { ...options, ttl: { head: tail === ttls[1] ? tail : head, tail } }
}

/** The parameters without those that shape an answer, and the names of those among them that scope the cache. */
function fillableOf({ stream: _stream, cache_control: _automatic, ...params }: AnthropicParams): {
  fillable: AnthropicParams
  without: readonly string[]
} {
  const fillable: AnthropicParams = { ...params, max_tokens: 0 }
  const without: string[] = []
  if (params.thinking?.type === 'enabled') {
    delete fillable.thinking
    without.push('thinking')
  }
  const { format, ...output } = params.output_config ?? {}
  if (format !== undefined && format !== null) {
    if (Object.keys(output).length > 0) fillable.output_config = output
    else delete fillable.output_config
    without.push('output_config.format')
  }
  const choice = params.tool_choice
  if (choice?.type === 'any' || choice?.type === 'tool') {
    const { disable_parallel_tool_use: single } = choice
    if (single === undefined) delete fillable.tool_choice
    else fillable.tool_choice = { type: 'auto', disable_parallel_tool_use: single }
    without.push('tool_choice')
  }
  return { fillable, without }
}
