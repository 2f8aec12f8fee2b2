/**
 * A few numbers that stand for the words of a text, so that many texts can be compared with many others: the smallest
 * hashes of its pairs of neighbouring words. Two texts share about as many of them as they share pairs.
 *
 * Whatever is neither space nor ASCII punctuation counts as part of a word, in any script.
 */

/** Ascending, each once. */
export type WordSketch = readonly number[]

const SIZE = 48
/** UTF-16 units that are looked at. */
const LONGEST = 2048

/** The sketch of a text; of a long one, of its beginning. */
export function sketchOf(text: string): WordSketch {
  const end = Math.min(text.length, LONGEST)
  const hashes = new Uint32Array((end >> 1) + 1)
  let count = 0
  let before = 0
  let word = 0
  for (let index = 0; index <= end; index++) {
    const code = index === end ? SPACE : text.charCodeAt(index)
    if (isWordUnit(code)) {
      word = Math.imul(word ^ code, 0x01000193) + 0x9e3779b9
      continue
    }
    if (word === 0) continue
    hashes[count++] = spread(Math.imul(before, 31) ^ word)
    before = word
    word = 0
  }
  const sorted = hashes.subarray(0, count).sort()
  return Array.from(sorted.filter((hash, index) => hash !== sorted[index - 1]).subarray(0, SIZE))
}

/** The share of pairs that two texts have in common, estimated; 0 where one has no words. */
export function sketchLikeness(one: WordSketch, other: WordSketch): number {
  let [left, right, seen, shared] = [0, 0, 0, 0]
  while (seen < SIZE && left < one.length && right < other.length) {
    const difference = (one[left] ?? 0) - (other[right] ?? 0)
    if (difference === 0) shared++
    if (difference <= 0) left++
    if (difference >= 0) right++
    seen++
  }
  // What the shorter sketch lacks is in the union as well.
  const union = Math.min(SIZE, seen + (one.length - left) + (other.length - right))
  return union === 0 ? 0 : shared / union
}

const SPACE = 32

function isWordUnit(code: number): boolean {
  if (code >= 128) return true
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}

/** Makes near hashes far, so that the smallest are a fair choice. */
function spread(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
