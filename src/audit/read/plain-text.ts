/** Text as UTF-8, whatever a shell wrote it as: PowerShell's `>` makes UTF-16. */
import type { ByteReader } from './byte-reader.ts'

/** The bytes of a stream, in UTF-8. Only a byte order mark tells the other encodings. */
export async function* toUtf8(reader: ByteReader): AsyncGenerator<Uint8Array, void, undefined> {
  const mark = await reader.peek(2)
  const encoding = mark[0] === 0xff && mark[1] === 0xfe ? 'utf-16le' : undefined
  const other = mark[0] === 0xfe && mark[1] === 0xff ? 'utf-16be' : encoding
  if (other === undefined) {
    yield* reader.rest()
    return
  }
  const decoder = new TextDecoder(other)
  const encoder = new TextEncoder()
  for await (const chunk of reader.rest()) yield encoder.encode(decoder.decode(chunk, { stream: true }))
  yield encoder.encode(decoder.decode())
}
