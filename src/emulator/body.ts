/**
 * Reading a request's body, never more than the limit of it: as sent, and as it is once decompressed. A body that names
 * no length is counted while it comes.
 */
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'

/** The bytes of a body, or why there is none, as a status and a sentence. */
export type ReadBody = { readonly bytes: Buffer } | { readonly status: 400 | 413 | 415; readonly message: string }

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
} as const

/** Reads and decodes a body. Rejects when the client hangs up before its end. */
export async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<ReadBody> {
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) return tooLarge(maxBytes)
  const encoding = (incoming.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding !== 'identity' && !Object.hasOwn(decoders, encoding)) {
    const message = `Content-Encoding ${encoding} is not supported; send ${Object.keys(decoders).join(', ')} or none.`
    return { status: 415, message }
  }
  const sent = await collect(incoming, maxBytes)
  if (sent === null) return tooLarge(maxBytes)
  if (encoding === 'identity') return { bytes: sent }
  try {
    return { bytes: await decoders[encoding as keyof typeof decoders](sent, { maxOutputLength: maxBytes }) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(maxBytes)
    return { status: 400, message: `The request body is not ${encoding}.` }
  }
}

function tooLarge(maxBytes: number): ReadBody {
  return { status: 413, message: `Request exceeds the maximum size of ${maxBytes} bytes.` }
}

/** All bytes, or null as soon as there are more than the limit. */
function collect(incoming: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes > maxBytes) {
        incoming.off('data', onData)
        incoming.pause()
        resolve(null)
      } else {
        chunks.push(chunk)
      }
    }
    incoming.on('data', onData)
    incoming.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    incoming.once('close', () => reject(new Error('The client hung up before the end of its request.')))
    incoming.once('error', reject)
  })
}
