/**
 * Texts that are kept from a log. Engines let a slice hold on to the whole text that it was cut from, and a few kept
 * words would then keep a log in memory; so what stays is copied.
 */

/** UTF-16 units of a value that are kept. */
const VALUE_LIMIT = 200

/** The stretch of `text` from `start` to `end`, at most `limit` units of it, whole characters only, as a text of its own. */
export function ownText(text: string, start = 0, end: number = text.length, limit: number = VALUE_LIMIT): string {
  let stop = Math.min(end, start + limit)
  if (stop < end && isLeading(text.charCodeAt(stop - 1))) stop--
  const units: number[] = []
  for (let index = start; index < stop; index++) units.push(text.charCodeAt(index))
  return String.fromCharCode(...units)
}

/** The last `limit` units of the stretch that ends at `end`, whole characters only. */
export function ownTextBefore(text: string, end: number, limit: number): string {
  let start = Math.max(0, end - limit)
  if (start > 0 && isTrailing(text.charCodeAt(start))) start++
  return ownText(text, start, end, limit)
}

/** The first half of a pair of surrogates. */
function isLeading(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isTrailing(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
