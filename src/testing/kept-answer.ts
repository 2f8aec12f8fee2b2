/** An answer that is read by its client only, and noted as it passes. */

/** The same answer; `note` is given its text piece by piece, when the client reads it. A client that stops early ends it. */
export function keepAnswer(response: Response, note: (text: string) => void): Response {
  if (response.body === null) return response
  const decoder = new TextDecoder()
  const passing = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      note(decoder.decode(chunk, { stream: true }))
      controller.enqueue(chunk)
    },
    flush() {
      note(decoder.decode())
    },
  })
  const kept = new Response(response.body.pipeThrough(passing), response)
  // What a constructor cannot set, and clients look at for errors and redirects.
  Object.defineProperty(kept, 'url', { value: response.url })
  Object.defineProperty(kept, 'redirected', { value: response.redirected })
  return kept
}
