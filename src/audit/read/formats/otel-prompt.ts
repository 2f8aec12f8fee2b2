/**
 * The prompt in the attributes of a GenAI span, where the application opted into capturing content: by the conventions of
 * OpenTelemetry, by the numbered attributes of older OpenLLMetry, or as the AI SDK notes it.
 *
 * Content was taken apart and written anew, so it tells which message changed, and never at which byte.
 */
import { has, list } from '../../../cache/layout/peek.ts'
import type { Fields } from '../../../cache/usage/fields.ts'
import { chatMessages, chatTools, systemMessages } from '../logged-messages.ts'
import { bodyFor } from '../provider-body.ts'
import { numbered, structured } from './otel-attributes.ts'

/** The body that the prompt amounts to; undefined where no content was captured. */
export function otelRequest(
  attributes: Fields,
  provider: string | undefined,
  model: string | undefined,
): object | undefined {
  const messages = messagesIn(attributes)
  if (messages === undefined) return undefined
  const system = systemMessages(structured(attributes['gen_ai.system_instructions']))
  const tools = toolsIn(attributes)
  return bodyFor(provider, model, {
    ...(model === undefined ? {} : { model }),
    messages: [...system, ...messages],
    ...(tools === undefined ? {} : { tools }),
  })
}

function messagesIn(attributes: Fields): readonly unknown[] | undefined {
  const logged = attributes['gen_ai.input.messages'] ?? attributes['gen_ai.prompt'] ?? attributes['ai.prompt.messages']
  return chatMessages(structured(logged)) ?? chatMessages(numbered(attributes, 'gen_ai.prompt').map(numberedMessage))
}

function numberedMessage(entry: Fields): object {
  const calls = numbered(entry, 'tool_calls').map((call) => ({
    id: call['id'],
    type: 'function',
    function: { name: call['name'], arguments: call['arguments'] },
  }))
  const result = entry['tool_call_id']
  // Content that was blocks is their JSON text; a user's text may be JSON too.
  const blocks = list(structured(entry['content']))
  return {
    role: entry['role'],
    content: blocks.length > 0 && blocks.every((block) => has(block, 'type')) ? blocks : (entry['content'] ?? null),
    ...(result === undefined ? {} : { tool_call_id: result }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
}

function toolsIn(attributes: Fields): readonly unknown[] | undefined {
  const defined = structured(attributes['gen_ai.tool.definitions'] ?? attributes['llm.request.functions'])
  const listed = Array.isArray(attributes['ai.prompt.tools'])
    ? attributes['ai.prompt.tools'].map(structured)
    : undefined
  const functions = numbered(attributes, 'llm.request.functions').map((each) => ({
    ...each,
    parameters: structured(each['parameters'] ?? each['input_schema']),
  }))
  return chatTools(defined) ?? chatTools(listed) ?? chatTools(functions)
}
