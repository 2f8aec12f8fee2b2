/**
 * What the examples are there to prevent. With `EXAMPLE_BREAK=1` every request has a new text at its front, as from a host
 * that renders the time into its prompt: the checks must fail then.
 */
import { opening } from './world.ts'

/** Whether the prompt is to be broken. */
export const isCareless: boolean = process.env['EXAMPLE_BREAK'] === '1'

let second = 0

/** The text of a body as it is sent. */
export function carelessly(body: string): string {
  return isCareless ? body.replace(opening, `${opening} It is ${++second} seconds past nine.`) : body
}

/** A `fetch` that sends bodies so. */
export function careless(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) => fetch(input, typeof init?.body === 'string' ? { ...init, body: carelessly(init.body) } : init)
}
