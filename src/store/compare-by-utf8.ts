/**
 * The order in which stores list sessions: that of the UTF-8 bytes of an id, which is how SQLite's BINARY and
 * PostgreSQL's "C" collation sort. It is the order of code points; JavaScript's own order is that of UTF-16 code units
 * and puts U+1F600 before U+FF5E, because its surrogates are the smaller numbers.
 */

/** Compares two well-formed texts by their UTF-8 bytes, for `Array.prototype.sort`. */
export function compareByUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const difference = rank(a.charCodeAt(index)) - rank(b.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Surrogates, which stand for code points from U+10000, after every other unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
