/**
 * One exchange as a line of the log: what `indelible audit` reads as a request that was logged as it was sent. Each half is
 * made when it is over, so that the request is done with while the provider thinks.
 */
import type { BodyPart } from './capture.ts'
import { decodeBody } from './decode.ts'
import { pairsOf } from './headers.ts'
import { hideInBody, hideInUrl, withoutSecrets, type HideSecret } from './secrets.ts'

/** What every line begins with; `audit` knows the log by it. */
const SCHEMA = 'indelible.record/1'

/** What is known of a request once its headers are here. */
export interface Opening {
  readonly url: string
  readonly method: string
  readonly rawHeaders: readonly string[]
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

/** What is known of a response once its headers are here. */
export interface Reply {
  readonly status: number
  readonly rawHeaders: readonly string[]
}

/** How it ended. */
export interface Ending {
  /** Milliseconds since the epoch. */
  readonly endedAt: number
  /** Why it ended before its time. */
  readonly error: string | undefined
}

/** The JSON of the request, without the brace that closes the line. */
export function requestPart(opening: Opening, body: BodyPart, hide: HideSecret): string {
  const { url, method, rawHeaders, startedAt } = opening
  const head = JSON.stringify({
    schema: SCHEMA,
    started_at: new Date(startedAt).toISOString(),
    url: hideInUrl(url, hide),
  })
  const about = JSON.stringify({ method, headers: withoutSecrets(rawHeaders, hide) })
  const text = bodyPart(rawHeaders, body, false, hide)
  return `${head.slice(0, -1)},"request":${about.slice(0, -1)}${text}}`
}

/** The JSON of what came back, to put behind {@link requestPart}. */
export function responsePart(
  reply: Reply | undefined,
  body: BodyPart,
  { endedAt, error }: Ending,
  hide: HideSecret,
): string {
  const about = { ended_at: new Date(endedAt).toISOString(), ...(error === undefined ? {} : { error }) }
  const end = JSON.stringify(about).slice(1)
  if (reply === undefined) return `,${end}\n`
  const head = JSON.stringify({ status: reply.status, headers: withoutSecrets(reply.rawHeaders, hide) })
  const text = bodyPart(reply.rawHeaders, body, error !== undefined, hide)
  return `,"response":${head.slice(0, -1)}${text}},${end}\n`
}

/** The members for a body: its text, or its bytes in Base64; and how much of it is not there. */
function bodyPart(
  rawHeaders: readonly string[],
  { bytes, total }: BodyPart,
  hasBrokenOff: boolean,
  hide: HideSecret,
): string {
  if (total === 0) return ''
  const encoding = pairsOf(rawHeaders).find(([name]) => name.toLowerCase() === 'content-encoding')?.[1] ?? ''
  const isCut = bytes.length < total
  const decoded = decodeBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), encoding, hasBrokenOff || isCut)
  const cut = isCut ? `,"truncated":{"kept":${bytes.length},"sent":${total}}` : ''
  if ('base64' in decoded) return `,"body_base64":"${decoded.base64}"${cut}`
  const text = hideInBody(decoded.text, hide)
  // Readers know a text that was cut by what it ends with.
  return `,"body":${JSON.stringify(isCut ? `${text} [truncated: ${total} bytes were sent]` : text)}${cut}`
}
