/**
 * What a session must know about contents of Google's APIs (`Content`).
 *
 * The odd case is a call without an id, which the Developer API makes: it goes by the name of its function, and where several
 * of one function are open, by name and place (`read`, `read#2`). A response without an id answers the first open call of its
 * function, whether that has an id or not; a response with an id answers the call with that id alone.
 */
import type { Content, FunctionCall, FunctionResponse, Part } from '@google/genai'
import { isPlainObject, type Json } from '../../base/json.ts'
import { MessageInvalidError, ToolInvalidError } from '../../session/errors.ts'
import type { Format } from '../../session/types.ts'
import { refuseSystemRole } from '../errors.ts'

/**
 * Contents as `@google/genai` types them, of role `user`, `model` or none, which is the user's; `function` is an old name for
 * a user's content of function responses. A user's content with function responses, with or without other parts, is a
 * `'tool-result'`. Tools are single function declarations, and provider tools of one key (`{ googleSearch: {} }`).
 */
export const googleFormat: Format<Content> = {
  id: 'google',
  kind(content) {
    const { role, parts } = checked(content)
    if (role === 'model') return 'assistant'
    return parts.some((part) => part['functionResponse'] !== undefined) ? 'tool-result' : 'user'
  },
  openCalls(contents) {
    const open: FunctionCall[] = []
    for (const { parts = [] } of contents) {
      for (const { functionCall, functionResponse } of parts) {
        if (functionCall !== undefined) open.push(functionCall)
        if (functionResponse === undefined) continue
        const answered = open.findIndex((call) => isAnswer(functionResponse, call))
        if (answered >= 0) open.splice(answered, 1)
      }
    }
    return idsOf(open)
  },
  results({ parts = [] }) {
    const ids: string[] = []
    for (const { functionResponse } of parts) {
      if (functionResponse === undefined) continue
      // Which call it answers, only the conversation tells.
      if (functionResponse.id === undefined) return undefined
      ids.push(functionResponse.id)
    }
    return ids
  },
  identity(content) {
    const { role, parts } = checked(content)
    const [only] = parts
    const text = parts.length === 1 && only !== undefined && Object.keys(only).length === 1 ? only['text'] : undefined
    return { role: role === 'model' ? 'model' : 'user', parts: typeof text === 'string' ? text : parts }
  },
  toolId(tool) {
    const { name } = tool
    if (typeof name === 'string') return name
    const keys = Object.keys(tool)
    if (keys.includes('functionDeclarations')) {
      throw new ToolInvalidError(
        'A tool of the google format is a whole list of function declarations. Pass each declaration by itself.',
      )
    }
    const [only] = keys
    if (keys.length === 1 && only !== undefined) return only
    throw new ToolInvalidError(
      `A tool of the google format has no name and the keys ${JSON.stringify(keys)}. ` +
        'Pass a function declaration with a name, or a provider tool of one key.',
    )
  },
}

function isAnswer(response: FunctionResponse, call: FunctionCall): boolean {
  return response.id === undefined ? response.name === call.name : response.id === call.id
}

function idsOf(calls: readonly FunctionCall[]): string[] {
  const unnamed = new Map<string, number>()
  return calls.map(({ id, name = '' }) => {
    if (id !== undefined) return id
    const place = (unnamed.get(name) ?? 0) + 1
    unnamed.set(name, place)
    return place === 1 ? name : `${name}#${place}`
  })
}

interface CheckedContent {
  readonly role: string | undefined
  readonly parts: readonly { readonly [key: string]: Json }[]
}

function checked(content: unknown): CheckedContent {
  if (typeof content !== 'object' || content === null) throw invalid(`is ${content === null ? 'null' : typeof content}`)
  const { role, parts = [] } = content as { role?: unknown; parts?: unknown }
  refuseSystemRole(role)
  if (!isUserRole(role) && role !== 'model') throw invalid('has no role "user" or "model"')
  if (!Array.isArray(parts) || !parts.every(isPart)) throw invalid('has parts that are no array of objects')
  return { role, parts: parts as unknown as CheckedContent['parts'] }
}

/** True for the roles under which a user and the user's functions speak. */
export function isUserRole(role: unknown): role is 'user' | 'function' | undefined {
  return role === 'user' || role === 'function' || role === undefined
}

function isPart(part: unknown): part is Part {
  return typeof part === 'object' && part !== null && isPlainObject(part)
}

function invalid(problem: string): MessageInvalidError {
  return new MessageInvalidError(
    `A message of the google format ${problem}. Pass a Content of @google/genai, or the format of your messages.`,
  )
}
