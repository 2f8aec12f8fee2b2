/**
 * Text in which some stretches stand as they were first sent: the text of a turn, and a list of what stands in place of
 * which stretch of it. From turn to turn the list is carried over the hunks between two texts: a hunk that is frozen adds
 * to it, any other moves what lies behind it.
 *
 * The invariant: where every hunk since the first turn was frozen, applying the list gives the first text. The odd case
 * is a hunk that is not frozen and reaches into a stretch that is: what it covers passes, the rest stays.
 */
import type { Hunk } from '../changes/types.ts'

/** `original` stands in place of a stretch of a text. */
export interface Substitution {
  /** UTF-16 units into the text as it was sent. */
  readonly start: number
  readonly end: number
  /** Null where the text that it was is not kept any more. */
  readonly original: string | null
  /** Whose stretch it is. */
  readonly culprit: string
}

/** The two texts that hunks lie between; null where one is not kept any more. */
export interface Texts {
  readonly before: string | null
  readonly after: string | null
}

interface Stretch {
  start: number
  end: number
  readonly culprit: string
  readonly kept: Substitution[]
  /** Hunks that make it longer or shorter. */
  readonly inside: Hunk[]
}

/**
 * The substitutions of the later text, from those of the earlier one: both in order, and apart from each other. `hunks`
 * lie between the two texts as they were sent.
 */
export function carry(
  earlier: readonly Substitution[],
  hunks: readonly Hunk[],
  isFrozen: (culprit: string) => boolean,
  texts: Texts,
): readonly Substitution[] {
  const stretches = stretchesOf(earlier, hunks, isFrozen)
  const covered = new Set(stretches.flatMap(({ inside }) => inside))
  const passing = hunks.filter((hunk) => !covered.has(hunk))
  const left = stretches.filter((stretch) => clip(stretch, passing))
  return left.flatMap((stretch) => {
    const { start, end, culprit, inside } = stretch
    const shift = growth(hunks.filter((hunk) => hunk.before.end <= start && !inside.includes(hunk)))
    const moved = { start: start + shift, end: end + shift + growth(inside) }
    const original = originalOf(stretch, texts.before)
    if (original !== null && original === texts.after?.slice(moved.start, moved.end)) return []
    return [{ ...moved, original, culprit }]
  })
}

/** `text` with every substitution made; null where the original of one is not kept. */
export function substitute(text: string, substitutions: readonly Substitution[]): string | null {
  let result = ''
  let at = 0
  for (const { start, end, original } of substitutions) {
    if (original === null) return null
    result += text.slice(at, start) + original
    at = end
  }
  return result + text.slice(at)
}

/** What is frozen, in the earlier text: earlier substitutions and frozen hunks, those that overlap as one. */
function stretchesOf(
  earlier: readonly Substitution[],
  hunks: readonly Hunk[],
  isFrozen: (culprit: string) => boolean,
): readonly Stretch[] {
  const parts: Stretch[] = [
    ...earlier.map((kept) => ({ start: kept.start, end: kept.end, culprit: kept.culprit, kept: [kept], inside: [] })),
    ...hunks.flatMap((hunk) => {
      const { before, culprit } = hunk
      if (culprit === null || !isFrozen(culprit)) return []
      return [{ start: before.start, end: before.end, culprit, kept: [], inside: [hunk] }]
    }),
  ].sort((one, other) => one.start - other.start || one.end - other.end)
  const merged: Stretch[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if (last === undefined || !overlap(last, part)) {
      merged.push(part)
      continue
    }
    last.end = Math.max(last.end, part.end)
    last.kept.push(...part.kept)
    last.inside.push(...part.inside)
  }
  // What changes inside of a frozen stretch is not seen.
  for (const hunk of hunks) {
    const { start, end } = hunk.before
    const around = merged.find((stretch) => stretch.start <= start && end <= stretch.end && stretch.start < stretch.end)
    if (around === undefined || around.inside.includes(hunk)) continue
    // A change of all of it is another's, and passes.
    const isWithin = start < end ? around.start < start || end < around.end : around.start < start && end < around.end
    if (isWithin) around.inside.push(hunk)
  }
  return merged
}

/** Stretches without length overlap where they touch: text that was taken away comes back at the place where it stood. */
function overlap(one: Stretch, other: Stretch): boolean {
  if (one.start === one.end || other.start === other.end) return other.start <= one.end
  return other.start < one.end
}

/** Cuts off what hunks that pass reach into. False when nothing is left. */
function clip(stretch: Stretch, passing: readonly Hunk[]): boolean {
  for (const { before } of passing) {
    const { start, end } = stretch
    if (start === end) {
      if (before.start < start && start < before.end) return false
      continue
    }
    if (before.end <= start || end <= before.start) continue
    if (before.start <= start) stretch.start = Math.min(end, before.end)
    else stretch.end = before.start
    if (stretch.start >= stretch.end) return false
  }
  return true
}

function originalOf({ start, end, kept }: Stretch, before: string | null): string | null {
  let original = ''
  let at = start
  for (const part of kept.toSorted((one, other) => one.start - other.start)) {
    if (part.original === null || (part.start > at && before === null)) return null
    original += (before ?? '').slice(at, Math.max(at, part.start)) + part.original
    at = Math.max(at, part.end)
  }
  if (at < end && before === null) return null
  return at < end ? original + (before ?? '').slice(at, end) : original
}

function growth(hunks: readonly Hunk[]): number {
  return hunks.reduce((sum, { before, after }) => sum + after.end - after.start - (before.end - before.start), 0)
}
