/**
 * Texts out of logs on their way into a report that is passed on.
 *
 * Shown are values whose kind says what they are (dates, ids, counters, names of branches and tools), as long as they
 * look like one; everything else only as length, salted hash and a preview without letters and digits, unless the user
 * asks for texts. What looks like a key is masked always, also where only together with the text around it, it looks so.
 */
import { digest } from '../../base/digest.ts'
import type { Culprit, CulpritKind } from '../changes/types.ts'
import type { Divergence } from '../explain/first-difference.ts'
import { joinSpans, keySpans, maskKeys, type Span } from './keys.ts'
import type { AuditDivergence, ReportText } from './types.ts'

/** What is shown, and what hashes are salted with. */
export interface MaskingOptions {
  /** Show texts; keys stay masked. */
  readonly includeText: boolean
  /** Anything that nobody outside can guess; one for a report. */
  readonly salt: string
}

/** Puts texts of one report into the form that the report has them in. */
export class Masking {
  readonly #includeText: boolean
  readonly #salt: string

  constructor({ includeText, salt }: MaskingOptions) {
    this.#includeText = includeText
    this.#salt = salt
  }

  /** A culprit's values and the text around it. Each value is looked at between its neighbours, as half of a key is one. */
  culprit({ kind, anchor, values }: Pick<Culprit, 'kind' | 'anchor' | 'values'>): {
    readonly values: readonly ReportText[]
    readonly anchor: { readonly before: ReportText; readonly after: ReportText } | null
  } {
    const { before, after } = anchor
    const joined = values.map((value) => keySpans(before + value.slice(0, LONGEST) + after, { cut: true }))
    const shown = values.map((value, index) => {
      const keys = within(joined[index] ?? [], before.length, before.length + shownLength(value))
      return this.#text(value, this.#includeText || isTyped(kind, value), keys)
    })
    if (before === '' && after === '') return { values: shown, anchor: null }
    // The text before is the same with every value, and holds a part of a key when it does with one of them.
    const beforeKeys = joined.flatMap((spans) => within(spans, 0, before.length))
    const afterKeys = values.flatMap((value, index) => {
      const from = before.length + shownLength(value)
      return within(joined[index] ?? [], from, from + after.length)
    })
    return {
      values: shown,
      anchor: {
        before: this.#text(before, this.#includeText, joinSpans([...beforeKeys, ...keySpans(before, { cut: true })])),
        after: this.#text(after, this.#includeText, joinSpans([...afterKeys, ...keySpans(after, { cut: true })])),
      },
    }
  }

  /** Where two requests part. */
  divergence({ kind, path, offset, before, after }: Divergence): AuditDivergence {
    const excerpt = (text: string | null): ReportText | null =>
      text === null ? null : this.#text(text, this.#includeText, keySpans(text, { cut: true }))
    return { kind, path: maskKeys(path), offset, before: excerpt(before), after: excerpt(after) }
  }

  #text(text: string, show: boolean, keys: readonly Span[]): ReportText {
    const shown = show ? maskKeys(text.slice(0, LONGEST), keys) : null
    return {
      text: shown,
      length: text.length,
      hash: digest(`${this.#salt}\n${text}`).slice(0, HASH_DIGITS),
      preview: shown === null ? preview(text) : cut(shown),
    }
  }
}

const HASH_DIGITS = 16
/** UTF-16 units of a text that are shown at most. */
const LONGEST = 200
/** Characters of a preview. */
const PREVIEW = 80

/** Kinds whose values say nothing of what the conversation is about. */
const typed: ReadonlySet<CulpritKind> = new Set([
  'clock',
  'date',
  'git',
  'id',
  'counter',
  'remaining-tokens',
  'tool-reordered',
  'tool-added',
  'tool-removed',
  'tool-edited',
  'tool-call-ids',
  'parameter',
])

/** Longest typed value, in UTF-16 units, and the most words: "quarter past nine on Sunday". */
const TYPED_LENGTH = 64
const TYPED_WORDS = 6

function isTyped(kind: CulpritKind, value: string): boolean {
  if (!typed.has(kind) || value.includes('\n')) return false
  // Lists of names are as long as they are; each name is one short word, as a description is not.
  if (kind.startsWith('tool-'))
    return value.split(/\s*,\s*/).every((name) => name.length <= TYPED_LENGTH && !/\s/.test(name))
  if (value.length > TYPED_LENGTH) return false
  // A branch is one word; what `git status` says has files and subjects in it.
  return value.trim().split(/\s+/).length <= (kind === 'git' ? 1 : TYPED_WORDS)
}

function shownLength(text: string): number {
  return Math.min(text.length, LONGEST)
}

/** What of `spans` lies between `from` and `to`, counted from there. */
function within(spans: readonly Span[], from: number, to: number): readonly Span[] {
  return spans
    .filter(({ start, end }) => start < to && end > from)
    .map(({ start, end }) => ({ start: Math.max(start, from) - from, end: Math.min(end, to) - from }))
}

/** The shape of a text: letters are `x`, digits `0`; marks and blanks stay. */
function preview(text: string): string {
  return cut(text)
    .replace(/\p{L}\p{M}*|\p{M}/gu, 'x')
    .replace(/\p{N}/gu, '0')
    .replace(/[^\p{P}\p{Z}\p{S}x0]/gu, ' ')
}

/** At most {@link PREVIEW} characters; of a text of any length, no more is looked at than that takes. */
function cut(text: string): string {
  const points = Array.from(text.slice(0, 2 * PREVIEW + 2))
  return points.length <= PREVIEW ? points.join('') : `${points.slice(0, PREVIEW - 1).join('')}…`
}
