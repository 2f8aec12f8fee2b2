/** The text of a request's body, without taking it from whoever sends it. */

/** What to send, and the text of its body, now or later. */
export interface KeptBody {
  /** `null` where there is none, or none that is text. */
  readonly text: string | null | Promise<string>
  /** As it came, but for a stream, which only one can read. */
  readonly init: RequestInit | undefined
}

/** The body of what `fetch` is called with, kept. */
export function keepBody(input: string | URL | Request, init: RequestInit | undefined): KeptBody {
  const body = init?.body
  if (body === undefined || body === null) {
    const isReadable = input instanceof Request && input.body !== null && !input.bodyUsed
    return { text: isReadable ? input.clone().text() : null, init }
  }
  if (typeof body === 'string') return { text: body, init }
  if (body instanceof ReadableStream) {
    const [sent, kept] = body.tee()
    return { text: new Response(kept).text(), init: { ...init, body: sent } }
  }
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return { text: new TextDecoder().decode(body), init }
  if (body instanceof Blob) return { text: body.text(), init }
  return { text: body instanceof URLSearchParams ? body.toString() : null, init }
}
