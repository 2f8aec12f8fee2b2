/** Which format a body has, and its items. */
import { anthropic } from './anthropic.ts'
import { bedrockConverse } from './bedrock-converse.ts'
import { RequestUnreadableError } from './errors.ts'
import { expectObject } from './expect.ts'
import { gemini } from './gemini.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { PreparedRequest, preparedReader } from './prepared.ts'
import type { FormatReader, ReadOptions, RequestFormat, RequestItems } from './types.ts'

/** Every reader. No two recognise the same body. */
export const formatReaders: readonly FormatReader[] = [anthropic, openaiChat, openaiResponses, gemini, bedrockConverse]

/** A listed body, and what cuts its items. */
export interface ReadRequest extends RequestItems {
  readonly reader: FormatReader
}

/**
 * Lists a body. Throws {@link RequestUnreadableError} when no format, or not the given one, is recognised; of the formats
 * in `among` where those are given, and as the only one of them.
 */
export function readItems(request: unknown, options: ReadOptions, among?: readonly RequestFormat[]): ReadRequest {
  if (request instanceof PreparedRequest) return readPrepared(request, among)
  const body = expectObject(request, '', 'a request body (a JSON object)')
  const format = options.format ?? (among?.length === 1 ? among[0] : undefined)
  const reader = format === undefined ? recognise(body, among) : readerOf(format)
  return { reader, ...reader.read(body, options) }
}

function readPrepared(request: PreparedRequest, among?: readonly RequestFormat[]): ReadRequest {
  const { format, model, items, scope, automatic, settings } = request
  if (among !== undefined && !among.includes(format)) throw unexpected(among, format, request)
  return { reader: preparedReader(readerOf(format), request.texts), format, model, items, scope, automatic, settings }
}

/** The format of a body by its shape, or undefined. */
export function recogniseFormat(request: unknown): RequestFormat | undefined {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return undefined
  return formatReaders.find((reader) => reader.recognises(request as Record<string, unknown>))?.id
}

function recognise(body: { readonly [key: string]: unknown }, among?: readonly RequestFormat[]): FormatReader {
  const found = formatReaders.find((reader) => reader.recognises(body))
  if (found !== undefined && (among === undefined || among.includes(found.id))) return found
  throw unexpected(among ?? formatReaders.map(({ id }) => id), found?.id, body)
}

function unexpected(
  expected: readonly RequestFormat[],
  found: RequestFormat | undefined,
  body: unknown,
): RequestUnreadableError {
  return new RequestUnreadableError(
    '',
    `one of ${expected.join(', ')} (with \`messages\`, \`input\` or \`contents\`)${found === undefined ? '' : `, and this looks like ${found}`}`,
    body,
  )
}

function readerOf(format: RequestFormat): FormatReader {
  const found = formatReaders.find(({ id }) => id === format)
  if (found === undefined) throw new RequestUnreadableError('format', `one of ${names()}`, format)
  return found
}

function names(): string {
  return formatReaders.map(({ id }) => id).join(', ')
}
