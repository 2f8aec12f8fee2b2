/**
 * Server-sent events of a whole stream, as text, to the JSON values in them.
 *
 * Lenient where recordings are: any line ending, comments, fields other than `data`, a missing blank line at the end.
 * What is no JSON (`[DONE]`, an event cut off in the middle) is left out, since the events before it still count.
 * Format: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */

/** True when the text starts like an event stream and not like a JSON document. */
export function isSse(text: string): boolean {
  return /^\uFEFF?\s*(?:data|event|id|retry)?:/.test(text)
}

/** The JSON values of the events, in order. */
export function parseSse(text: string): unknown[] {
  const values: unknown[] = []
  let data: string[] = []
  const dispatch = (): void => {
    if (data.length === 0) return
    const value = parseJson(data.join('\n'))
    if (value !== undefined) values.push(value)
    data = []
  }
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    if (line.trim() === '') dispatch()
    else if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
  }
  dispatch()
  return values
}

/** The JSON value in `text`, or `undefined` where there is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
