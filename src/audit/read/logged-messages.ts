/**
 * Conversations as tracing tools log them, as messages in the shape of Chat Completions.
 *
 * Four shapes are read, message by message: Chat itself, with content of any API in it; OpenTelemetry's `parts`; the
 * prompt of the AI SDK, which calls tools by `tool-call` and `tool-result`; and LangChain's `type` in place of a role.
 * Equal messages give equal ones. A part that nobody knows stays as its JSON text, so that a change in it is still seen.
 */
import { field, has, list, textOf } from '../../cache/layout/peek.ts'

/** The messages; undefined for what is no conversation. A text alone is what the user says. */
export function chatMessages(logged: unknown): readonly unknown[] | undefined {
  if (typeof logged === 'string') return logged === '' ? undefined : [{ role: 'user', content: logged }]
  if (!Array.isArray(logged) || logged.length === 0 || !logged.every(isMessage)) return undefined
  return logged.flatMap(messagesOf)
}

/** Parts of a message that hold instructions, or a text alone, as a system message. */
export function systemMessages(instructions: unknown): readonly unknown[] {
  if (typeof instructions === 'string') return instructions === '' ? [] : [{ role: 'system', content: instructions }]
  const parts = list(instructions)
  if (parts.length === 0) return []
  return parts.every(isMessage) ? parts.flatMap(messagesOf) : messagesOf({ role: 'system', parts })
}

/** Tool definitions, in the shape of Chat where they are functions. */
export function chatTools(logged: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(logged) || logged.length === 0) return undefined
  return logged.map((tool: unknown) => {
    const parameters = field(tool, 'parameters') ?? field(tool, 'inputSchema') ?? field(tool, 'input_schema')
    if (has(tool, 'function') || has(tool, 'input_schema') || !has(tool, 'name')) return tool
    const described = { name: field(tool, 'name'), description: field(tool, 'description'), parameters }
    return { type: 'function', function: described }
  })
}

function isMessage(value: unknown): boolean {
  return typeof field(value, 'role') === 'string' || langChainRoles.has(textOf(value, 'type'))
}

const langChainRoles: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['system', 'system'],
  ['tool', 'tool'],
])

function messagesOf(message: unknown): readonly unknown[] {
  const role = field(message, 'role') ?? langChainRoles.get(textOf(message, 'type'))
  const parts = list(field(message, 'parts') ?? field(message, 'content'))
  if (has(message, 'parts') || parts.some((part) => sdkParts.has(textOf(part, 'type')))) return fromParts(role, parts)
  if (!has(message, 'role')) {
    const { type: _type, additional_kwargs: more, ...rest } = message as Record<string, unknown>
    const calls = field(more, 'tool_calls')
    return [{ role, ...rest, ...(calls === undefined ? {} : { tool_calls: calls }) }]
  }
  return [message]
}

const sdkParts = new Set(['tool-call', 'tool-result', 'tool_call', 'tool_call_response'])

/** One message of text, reasoning and calls, and one for each result of a tool. */
function fromParts(role: unknown, parts: readonly unknown[]): readonly unknown[] {
  const content: unknown[] = []
  const reasoning: string[] = []
  const calls: unknown[] = []
  const results: unknown[] = []
  for (const part of parts) {
    const text = field(part, 'content') ?? field(part, 'text')
    switch (textOf(part, 'type')) {
      case 'text':
        content.push({ type: 'text', text: asText(text) })
        break
      case 'reasoning':
      case 'thinking':
        reasoning.push(asText(text))
        break
      case 'tool_call':
      case 'tool-call':
        calls.push(callOf(part))
        break
      case 'tool_call_response':
      case 'tool-result':
        results.push(resultOf(part))
        break
      default:
        content.push(typeof part === 'object' && has(part, 'type') ? part : { type: 'text', text: asText(part) })
    }
  }
  if (content.length === 0 && calls.length === 0 && results.length > 0) return results
  return [
    {
      role,
      content: content.length === 1 && field(content[0], 'type') === 'text' ? field(content[0], 'text') : content,
      ...(reasoning.length === 0 ? {} : { reasoning_content: reasoning.join('\n') }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
    ...results,
  ]
}

function callOf(part: unknown): unknown {
  const input = field(part, 'arguments') ?? field(part, 'input') ?? field(part, 'args') ?? {}
  return {
    id: field(part, 'id') ?? field(part, 'toolCallId'),
    type: 'function',
    function: { name: field(part, 'name') ?? field(part, 'toolName'), arguments: asText(input) },
  }
}

function resultOf(part: unknown): unknown {
  const output = field(part, 'response') ?? field(part, 'result') ?? field(part, 'output')
  // The AI SDK says which type a result is of.
  const value = has(output, 'type') && has(output, 'value') ? field(output, 'value') : output
  return { role: 'tool', tool_call_id: field(part, 'id') ?? field(part, 'toolCallId'), content: asText(value) }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
