/**
 * Stored contents as the API takes them. Almost every content is, and is then sent by reference, thought signatures and all; a
 * copy is made where several are merged, and of one that holds a part without data, which is refused.
 */
import type { Content, Part } from '@google/genai'
import { foreignRole } from '../errors.ts'
import { NO_CONTENT } from '../text.ts'
import type { LeftOut } from '../tagged-spans.ts'
import { isUserRole } from './format.ts'

/** A content of the model as it is sent. */
export function modelContent(content: Content, leftOut: LeftOut): Content {
  const { role, parts = [] } = content
  if (parts.length > 0 && !parts.some(isEmpty)) return content
  // A model may answer a tool result with nothing at all.
  if (parts.length === 0) leftOut.blank++
  return { ...(role !== undefined && { role }), parts: orNothing(withData(parts, leftOut)) }
}

/** One user content: function responses first, as the API wants them next to their calls, then what users said, then `tagged`. */
export function userContent(inputs: readonly Content[], tagged: readonly string[], leftOut: LeftOut): Content {
  const foreign = inputs.find(({ role }) => !isUserRole(role))
  if (foreign !== undefined) throw foreignRole(foreign.role, 'googleFormat')
  const [only] = inputs
  if (inputs.length === 1 && tagged.length === 0 && only !== undefined && isSendable(only)) return only
  const parts = withData(
    inputs.flatMap((input) => input.parts ?? []),
    leftOut,
  )
  const { responses = [], others = [] } = Object.groupBy(parts, (part) => (isResponse(part) ? 'responses' : 'others'))
  return { role: 'user', parts: orNothing([...responses, ...others, ...tagged.map((text) => ({ text }))]) }
}

/** True for a content of which nothing was left. */
export function saysNothing({ parts = [] }: Content): boolean {
  return parts.length === 1 && parts[0]?.text === NO_CONTENT
}

function isSendable({ parts = [] }: Content): boolean {
  const other = parts.findIndex((part) => !isResponse(part))
  return parts.length > 0 && !parts.some(isEmpty) && (other < 0 || !parts.slice(other).some(isResponse))
}

function isResponse(part: Part): boolean {
  return part.functionResponse !== undefined
}

/**
 * "required oneof field 'data' must have one initialized field" (https://github.com/router-for-me/CLIProxyAPI/issues/1292). An
 * empty text may carry a signature, and has to come back with it (https://ai.google.dev/gemini-api/docs/thought-signatures).
 */
function isEmpty(part: Part): boolean {
  return part.thoughtSignature === undefined && (part.text === '' || Object.keys(part).length === 0)
}

function withData(parts: readonly Part[], leftOut: LeftOut): Part[] {
  const kept = parts.filter((part) => !isEmpty(part))
  leftOut.blank += parts.length - kept.length
  return kept
}

function orNothing(parts: Part[]): Part[] {
  return parts.length > 0 ? parts : [{ text: NO_CONTENT }]
}
