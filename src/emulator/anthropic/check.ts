/**
 * What the Messages API refuses, in strict mode: the first rule that a request breaks, with the provider's status and
 * words. A body that breaks two rules may be told the other one first by the provider.
 */
import type { EndpointRequest, Refusal } from '../types.ts'
import { checkBetas } from './betas.ts'
import { placedMessages } from './blocks.ts'
import { checkBreakpoints } from './check-breakpoints.ts'
import { checkMessages } from './check-messages.ts'
import { checkParameters } from './check-parameters.ts'
import { checkToolChanges } from './check-tool-changes.ts'
import { checkToolResults } from './check-tool-results.ts'
import { checkTools } from './check-tools.ts'
import { anthropicError } from './errors.ts'
import type { Thinking } from './thinking.ts'

/** The refusal of a request; null lets it through. `answers`: the call is one that a model answers. */
export function check(
  request: EndpointRequest,
  thinking: Thinking,
  options: { readonly answers: boolean },
): Refusal | null {
  const { body, model, id, headers } = request
  const interleaved = headers['anthropic-beta']?.includes('interleaved-thinking') ?? false
  const messages = placedMessages(body)
  const message =
    checkParameters(body, { ...options, interleaved }) ??
    checkBetas(request) ??
    checkTools(body) ??
    checkMessages(body, messages, model) ??
    checkToolChanges(body, messages, model) ??
    checkToolResults(messages) ??
    checkBreakpoints(body, messages) ??
    thinking.check(request)
  return message === null ? null : { status: 400, body: anthropicError(400, message, id) }
}
