/**
 * The text of a logged body: unpacked, as far as it came. A body that was cut off gives what can be unpacked of it; one that
 * is no text, or packed in a way that is not known, is kept as Base64 of the bytes that were sent.
 */
import { isUtf8 } from 'node:buffer'
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
  type ZlibOptions,
} from 'node:zlib'

/** Bytes that one body may unpack to. */
const UNPACKED_LIMIT = 128 * 1024 * 1024

/** A body as the log has it. */
export type LoggedBody = { readonly text: string } | { readonly base64: string }

type Unpack = (bytes: Buffer) => Buffer

const options = { maxOutputLength: UNPACKED_LIMIT }
const lenient: ZlibOptions = { ...options, finishFlush: constants.Z_SYNC_FLUSH }
const gunzip: Unpack = (bytes) => gunzipSync(bytes, lenient)

const codings: Readonly<Record<string, Unpack>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate(bytes) {
    try {
      return inflateSync(bytes, lenient)
    } catch {
      // Some servers leave out the header that the name promises.
      return inflateRawSync(bytes, lenient)
    }
  },
  br: (bytes) => brotliDecompressSync(bytes, { ...options, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: (bytes) => zstdDecompressSync(bytes, { ...options, finishFlush: constants.ZSTD_e_flush }),
}

/** The body behind `encoding`, the value of its `Content-Encoding`; one that is cut may end within a character. */
export function decodeBody(bytes: Buffer, encoding: string, isCut: boolean): LoggedBody {
  const names = encoding
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
  try {
    let unpacked = bytes
    for (const name of names.reverse()) {
      const coding = Object.hasOwn(codings, name) ? codings[name] : undefined
      if (coding === undefined) return { base64: bytes.toString('base64') }
      unpacked = coding(unpacked)
    }
    return asText(unpacked, isCut)
  } catch {
    return { base64: bytes.toString('base64') }
  }
}

function asText(bytes: Buffer, isCut: boolean): LoggedBody {
  if (isUtf8(bytes) || (isCut && isUtf8(withoutCutCharacter(bytes)))) return { text: bytes.toString('utf8') }
  return { base64: bytes.toString('base64') }
}

/** A character has at most four bytes. */
function withoutCutCharacter(bytes: Buffer): Buffer {
  for (let end = bytes.length - 1; end >= Math.max(0, bytes.length - 4); end--) {
    if (((bytes[end] ?? 0) & 0xc0) !== 0x80) return bytes.subarray(0, end)
  }
  return bytes
}
