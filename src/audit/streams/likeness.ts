/**
 * How alike two blocks are, as far as it takes to tell an edited text from another one.
 *
 * An edit leaves a beginning and an end, which is cheap to see. A text that was changed in several places is told by its
 * words. Of a text that is no longer kept only the size is known.
 */
import type { Block } from '../record/types.ts'
import { sketchLikeness, sketchOf, type WordSketch } from './word-sketch.ts'

/** From 0 (nothing in common) to 1 (equal). */
export function blockLikeness(one: Block, other: Block): number {
  if (one === other) return 1
  const most = Math.max(one.length, other.length, 1)
  const least = Math.min(one.length, other.length)
  if (one.text === null || other.text === null) return isSized(one, other) ? least / most : 0
  const ends = sharedEnds(one.text, other.text) / most
  if (ends >= EDITED || least < most * LEAST_SIZE) return ends
  return Math.max(ends, sketchLikeness(sketch(one, one.text), sketch(other, other.text)))
}

/** Two blocks of different content are one that was edited. */
export function isEdited(one: Block, other: Block): boolean {
  return one.role === other.role && one.type === other.type && blockLikeness(one, other) >= EDITED
}

/** The same kind of block, of nearly one size and with one of its ends: what another id makes of a block, or another time. */
export function isSized(one: Block, other: Block): boolean {
  if (one.role !== other.role || one.type !== other.type) return false
  if (Math.abs(one.length - other.length) > Math.max(4, Math.max(one.length, other.length) * 0.05)) return false
  if (one.text === null || other.text === null) return true
  return one.text.slice(0, END) === other.text.slice(0, END) || one.text.slice(-END) === other.text.slice(-END)
}

const END = 8

const EDITED = 0.5
/** A text this much shorter than another is not the same one edited, whatever words they share. */
const LEAST_SIZE = 0.3

function sharedEnds(one: string, other: string): number {
  const least = Math.min(one.length, other.length)
  let start = 0
  while (start < least && one.charCodeAt(start) === other.charCodeAt(start)) start++
  let end = 0
  const room = least - start
  while (end < room && one.charCodeAt(one.length - 1 - end) === other.charCodeAt(other.length - 1 - end)) end++
  return start + end
}

const sketches = new WeakMap<Block, WordSketch>()

function sketch(block: Block, text: string): WordSketch {
  let known = sketches.get(block)
  if (known === undefined) {
    known = sketchOf(text)
    sketches.set(block, known)
  }
  return known
}
