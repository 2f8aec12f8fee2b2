/** A turn as one request to the Messages API. Pure. */
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type { TurnView } from '../../session/types.ts'
import { refuseEmpty } from '../parameters.ts'
import { lowerTurn } from './lower-turn.ts'
import type { AnthropicOptions, AnthropicParams, AnthropicRequest } from './types.ts'

/**
 * Builds the request of a turn. `params` are the provider's other parameters, passed on by reference. Throws
 * `RequestInvalidError` for a turn in which there is nothing to send, and for parameters that hold `messages` or
 * `system`, or `tools` where the session has frozen its own.
 */
export function toAnthropicMessages<P extends AnthropicParams>(
  turn: TurnView<MessageParam>,
  params: P,
  options: AnthropicOptions = {},
): AnthropicRequest<P> {
  const { empty, ...request } = lowerTurn(turn, params, options, 'warn')
  if (empty) refuseEmpty(turn.session)
  return request
}
