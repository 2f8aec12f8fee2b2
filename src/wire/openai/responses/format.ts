/** What a session must know about the items of Responses (`ResponseInputItem`). */
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import type { Json } from '../../../base/json.ts'
import { MessageInvalidError, ToolInvalidError } from '../../../session/errors.ts'
import type { Format, Tool } from '../../../session/types.ts'
import { refuseSystemRole } from '../../errors.ts'
import { contentIdentity, withoutMarks } from '../parts.ts'

/** What calls a tool, and what brings the result. A tool of the server's has both in one response. */
const calls: Readonly<Record<string, string>> = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
  computer_call: 'computer_call_output',
  local_shell_call: 'local_shell_call_output',
  shell_call: 'shell_call_output',
  apply_patch_call: 'apply_patch_call_output',
}
const outputs = new Set(Object.values(calls))

/** A search for tools is the client's or the server's; the server's needs no result from us. */
const search = { call: 'tool_search_call', output: 'tool_search_output' } as const

/** What an item says beside its content that only the server's records need. */
const bookkeeping = new Set(['id', 'status'])

/**
 * Items as `openai` types them, each of its own: messages of the user, whatever a response's `output` holds (all of it is
 * recorded as one answer, `response.output as ResponseInputItem[]`: the SDK's two types differ in what no request has), and the
 * results of calls. With `store: false`, ask for `include: ['reasoning.encrypted_content']`: other reasoning cannot be sent back.
 */
export const openAIResponsesFormat: Format<ResponseInputItem> = {
  id: 'openai-responses',
  kind: kindOf,
  openCalls(items) {
    const open = new Set<string>()
    for (const item of items) {
      const { call_id: id } = fieldsOf(item)
      if (typeof id !== 'string') continue
      if (isCall(item)) open.add(id)
      else if (isOutput(item)) open.delete(id)
    }
    return [...open]
  },
  results(item) {
    const { call_id: id } = fieldsOf(item)
    return isOutput(item) && typeof id === 'string' ? [id] : []
  },
  identity(item) {
    kindOf(item)
    const seen: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(bareItem(item))) {
      if (value === undefined || value === null || (bookkeeping.has(key) && !isKnownById(item))) continue
      seen[key] = key === 'content' || key === 'output' ? contentIdentity(value) : value
    }
    if (seen['type'] === 'message') delete seen['type']
    return seen as Json
  },
  toolId,
}

/** A function's or custom tool's name; of a tool that the provider brings, its type and what tells two of them apart. */
function toolId(tool: Tool): string {
  const { name, type, server_label: label } = tool
  if (typeof name === 'string' && name !== '') return name
  if (typeof type === 'string' && type !== '' && type !== 'function')
    return typeof label === 'string' ? `${type}:${label}` : type
  throw new ToolInvalidError(
    `A tool of Responses has neither a name nor a type: ${JSON.stringify(tool).slice(0, 120)}. ` +
      "Give it as { type: 'function', name, ... }.",
  )
}

function kindOf(item: unknown): 'user' | 'assistant' | 'tool-result' {
  const { type, role, id } = fieldsOf(item)
  if (type === undefined || type === 'message') return kindOfMessage(role)
  if (typeof type !== 'string') throw invalid('has a type that is no string')
  if (isOutput(item) || type === 'mcp_approval_response') return 'tool-result'
  switch (type) {
    case 'additional_tools':
      // What the server found has an id, as all that it answers with.
      if (typeof id === 'string') return 'assistant'
      throw invalid('brings tools. Give them to createSessions as `tools`')
    case 'item_reference':
      throw invalid(
        'is a reference. Record the item itself, so that the conversation does not hang on what a server keeps',
      )
    case 'configuration_update':
      return 'user'
    default:
      return 'assistant'
  }
}

function isCall(item: unknown): boolean {
  const { type, execution } = fieldsOf(item)
  return (typeof type === 'string' && Object.hasOwn(calls, type)) || (type === search.call && execution === 'client')
}

function isOutput(item: unknown): boolean {
  const { type, execution } = fieldsOf(item)
  return (typeof type === 'string' && outputs.has(type)) || (type === search.output && execution === 'client')
}

function kindOfMessage(role: unknown): 'user' | 'assistant' {
  if (role === 'user' || role === 'assistant') return role
  refuseSystemRole(role)
  throw invalid('has neither a known type nor a role "user" or "assistant"')
}

function fieldsOf(item: unknown): Readonly<Record<string, unknown>> {
  if (typeof item !== 'object' || item === null) throw invalid(`is ${item === null ? 'null' : typeof item}`)
  return item as Readonly<Record<string, unknown>>
}

function invalid(problem: string): MessageInvalidError {
  return new MessageInvalidError(
    `An item of the openai-responses format ${problem}. Pass a ResponseInputItem of openai, or the format of your messages.`,
  )
}

/** Reasoning that the server keeps is known by its id only. */
function isKnownById(item: ResponseInputItem): boolean {
  const { type, encrypted_content: encrypted } = fieldsOf(item)
  return type === 'reasoning' && typeof encrypted !== 'string'
}

/** What the SDK's own parsing adds to what a response said. */
const parsed = new Set(['parsed', 'parsed_arguments'])

/** The item as it is sent: without marks and without what the SDK put into it; itself, where there is nothing of that. */
export function bareItem(item: ResponseInputItem): ResponseInputItem {
  const plain = withoutParsed(item)
  const { content } = plain as { content?: unknown }
  const whole = Array.isArray(content) ? withContent(plain, content as readonly object[]) : plain
  return withoutMarks(withoutMarks(whole, 'content' as never), 'output' as never)
}

function withContent<T extends object>(item: T, content: readonly object[]): T {
  const parts = content.map(withoutParsed)
  return parts.every((part, index) => part === content[index]) ? item : { ...item, content: parts }
}

function withoutParsed<T extends object>(value: T): T {
  if (typeof value !== 'object' || value === null || ![...parsed].some((key) => key in value)) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => !parsed.has(key))) as T
}
