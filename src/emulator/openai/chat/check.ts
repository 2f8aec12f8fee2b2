/**
 * What Chat Completions refuses. What every server with this API refuses is checked for all models; what is OpenAI's own
 * (cache settings) for OpenAI's models alone.
 */
import { fields, list, text, type Fields } from '../../fields.ts'
import { providerOf } from '../../../cache/providers/provider-of.ts'
import type { EndpointRequest, Refusal } from '../../types.ts'
import { checkBreakpoints, checkCacheOptions, isMarkable, type BreakpointPlace } from '../cache-options.ts'
import { emptyArray, invalidType, invalidValue, missingParameter, refuse } from '../refusals.ts'

const roles = ['system', 'assistant', 'user', 'function', 'tool', 'developer']

export function checkChat({ body, model }: Pick<EndpointRequest, 'body' | 'model'>): Refusal | null {
  if (model === '') return missingParameter('model')
  return checkMessages(body) ?? checkCalls(list(body['messages'])) ?? checkCache(body, model)
}

function checkMessages({ messages }: Fields): Refusal | null {
  if (messages === undefined) return missingParameter('messages')
  if (!Array.isArray(messages)) return invalidType('messages', 'an array of objects', messages)
  if (messages.length === 0) return emptyArray('messages')
  for (const [index, message] of messages.entries()) {
    const { role, content, tool_calls: calls } = fields(message)
    const param = `messages[${index}]`
    if (role === undefined) return missingParameter(`${param}.role`)
    if (typeof role !== 'string' || !roles.includes(role)) return invalidValue(`${param}.role`, role, roles)
    if (role === 'tool' && text(fields(message)['tool_call_id']) === undefined) {
      return missingParameter(`${param}.tool_call_id`)
    }
    if (
      typeof content !== 'string' &&
      !Array.isArray(content) &&
      !(role === 'assistant' && hasOther(message)) &&
      role !== 'function'
    ) {
      return invalidType(`${param}.content`, 'one of a string or array of objects', content ?? null)
    }
    if (calls !== undefined && calls !== null) {
      if (!Array.isArray(calls)) return invalidType(`${param}.tool_calls`, 'an array of objects', calls)
      if (calls.length === 0) return emptyArray(`${param}.tool_calls`)
    }
  }
  return null
}

/** An assistant message needs no content when it says something else. */
function hasOther(message: unknown): boolean {
  const { tool_calls: calls, function_call: call, refusal, audio } = fields(message)
  return [calls, call, refusal, audio].some((value) => value !== undefined && value !== null)
}

/** Results stand directly behind the message with their calls, each call has one, and there are no others. */
function checkCalls(messages: readonly unknown[]): Refusal | null {
  let open: string[] = []
  let answered: string[] = []
  let caller = -1
  for (const [index, message] of messages.entries()) {
    const { role, tool_calls: calls, tool_call_id: id } = fields(message)
    if (role === 'tool') {
      if (caller < 0) {
        return refuse(
          "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
          { param: `messages.[${index}].role` },
        )
      }
      if (!open.includes(String(id)) && !answered.includes(String(id))) {
        return refuse(
          `Invalid parameter: 'tool_call_id' of '${String(id)}' not found in 'tool_calls' of previous message.`,
          {
            param: `messages.[${index}].tool_call_id`,
          },
        )
      }
      answered.push(String(id))
      open = open.filter((call) => call !== id)
      continue
    }
    if (open.length > 0) return unanswered(open, index)
    open = role === 'assistant' ? list(calls).map((call) => String(fields(call)['id'])) : []
    answered = []
    caller = open.length > 0 ? index : -1
  }
  return open.length > 0 ? unanswered(open, messages.length) : null
}

function unanswered(open: readonly string[], index: number): Refusal {
  return refuse(
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${open.join(', ')}`,
    { param: `messages.[${index}].role` },
  )
}

function checkCache(body: Fields, model: string): Refusal | null {
  if (providerOf(model) !== 'openai') return null
  return checkCacheOptions(body, model, 'chat') ?? checkBreakpoints(places(body), model)
}

function* places(body: Fields): Iterable<BreakpointPlace> {
  for (const [index, tool] of list(body['tools']).entries()) {
    yield { path: `tools[${index}]`, value: tool, allowed: false }
    yield { path: `tools[${index}].function`, value: fields(tool)['function'], allowed: false }
  }
  for (const [index, message] of list(body['messages']).entries()) {
    const path = `messages[${index}]`
    const { content, tool_calls: calls } = fields(message)
    yield { path, value: message, allowed: false }
    for (const [at, part] of list(content).entries()) {
      const allowed = isMarkable(fields(part)['type'])
      yield { path: `${path}.content[${at}]`, value: part, allowed }
    }
    for (const [at, call] of list(calls).entries()) {
      yield { path: `${path}.tool_calls[${at}]`, value: call, allowed: false }
    }
  }
}
