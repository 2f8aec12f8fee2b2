/** Deflate and gzip as streams: each chunk in gives what it unpacks to, so memory is bounded by one small chunk. */
import { Gunzip, Inflate } from 'fflate'
import type { UnpackGuard } from './limits.ts'

// Deflate makes at most 1,032 bytes of one: 34 MB of one piece.
const pieceBytes = 32_768

/**
 * The unpacked bytes. Throws what fflate throws for data that is damaged or ends too early, after all that came before
 * it, and `LimitError` for what grows too large. Members of a gzip that stand one behind the other are one text.
 */
export async function* inflate(
  chunks: AsyncIterable<Uint8Array>,
  format: 'deflate' | 'gzip',
  guard: UnpackGuard,
): AsyncGenerator<Uint8Array, void, undefined> {
  const unpacked: Uint8Array[] = []
  const stream = format === 'gzip' ? new Gunzip() : new Inflate()
  stream.ondata = (data) => {
    if (data.length > 0) unpacked.push(data)
  }
  const push = function* (piece: Uint8Array, final: boolean): Generator<Uint8Array> {
    try {
      stream.push(piece, final)
    } finally {
      // Also what came before the place that is damaged.
      for (const data of unpacked.splice(0)) {
        guard.unpacked(data.length)
        yield data
      }
    }
  }
  for await (const chunk of chunks) {
    guard.packed(chunk.length)
    for (let at = 0; at < chunk.length; at += pieceBytes) yield* push(chunk.subarray(at, at + pieceBytes), false)
  }
  yield* push(new Uint8Array(), true)
}
