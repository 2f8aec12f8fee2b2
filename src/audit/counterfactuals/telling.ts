/** What one turn has to tell of the frozen culprits that change in it: one update, whatever they are. */
import type { Culprit, Hunk } from '../changes/types.ts'
import type { Turn } from '../record/types.ts'
import type { FrozenBlock } from './slots.ts'
import { isTold, joinUpdates, tell, type UpdatePolicy } from './update-text.ts'

/** An update, and tokens of values in it whose text is not kept any more. */
export interface Update {
  readonly text: string
  readonly extraTokens: number
}

interface Change {
  readonly values: string[]
  extraTokens: number
}

/** Values longer than so many UTF-16 units are cut where a culprit lists them. */
const LISTED = 200
/** Fewer are some words in a line, and no text of their own. */
const WORDS = 80

/** Collects the changes of a turn. */
export class Telling {
  readonly #turn: Turn
  readonly #culprits: ReadonlyMap<string, Culprit>
  readonly #updates: UpdatePolicy
  readonly #changes = new Map<string, Change>()

  constructor(
    turn: Turn,
    options: { readonly culprits: ReadonlyMap<string, Culprit>; readonly updates: UpdatePolicy },
  ) {
    this.#turn = turn
    this.#culprits = options.culprits
    this.#updates = options.updates
  }

  /** A value has come to be `value`, or a text of so many more tokens that nobody has kept. */
  add(culprit: string, value: string, extraTokens = 0): void {
    const kind = this.#culprits.get(culprit)?.kind
    if (kind === undefined || !isTold(kind, this.#updates)) return
    const change = this.#changes.get(culprit) ?? { values: [], extraTokens: 0 }
    if (value !== '') change.values.push(value)
    change.extraTokens += extraTokens
    this.#changes.set(culprit, change)
  }

  /** A stretch of `block` has another text. */
  addHunk(culprit: string, { after }: Hunk, block: FrozenBlock): void {
    const kind = this.#culprits.get(culprit)?.kind
    const { text, length, tokens } = block
    if (text === null) {
      const share = length === 0 ? 0 : (after.end - after.start) / length
      this.add(culprit, '', Math.round(tokens * share))
      return
    }
    // A definition is told whole, rules by the line.
    if (kind === 'tool-edited') this.#once(culprit, text)
    else if (kind === 'rules-text') this.#once(culprit, linesAround(text, after.start, after.end))
    else this.add(culprit, text.slice(after.start, after.end))
  }

  /** The update; null where there is nothing to tell. */
  update(): Update | null {
    if (this.#changes.size === 0) return null
    let extraTokens = 0
    const texts = [...this.#changes].map(([id, change]) => {
      const culprit = this.#culprits.get(id) as Culprit
      const listed = valuesOf(culprit).get(this.#turn)
      const isWhole = listed !== undefined && listed !== null && isValue(culprit, listed)
      if (!isWhole) extraTokens += change.extraTokens
      return tell(culprit, isWhole ? listed : change.values.join('\n'))
    })
    return { text: joinUpdates(texts), extraTokens }
  }

  #once(culprit: string, value: string): void {
    if (this.#changes.get(culprit)?.values.includes(value) !== true) this.add(culprit, value)
  }
}

/** The value that a culprit has come to, by the turn in which it has. */
function valuesOf(culprit: Culprit): ReadonlyMap<Turn, string | null> {
  const known = values.get(culprit)
  if (known !== undefined) return known
  const made = new Map<Turn, string | null>()
  for (const { turn, after } of culprit.occurrences) if (!made.has(turn)) made.set(turn, after)
  values.set(culprit, made)
  return made
}

const values = new WeakMap<Culprit, ReadonlyMap<Turn, string | null>>()

/** What a culprit lists is the whole of its value: of a tool it is a part, of rules too unless it is a few words. */
function isValue({ kind }: Culprit, listed: string): boolean {
  if (kind === 'rules-text') return listed.length < WORDS && !listed.includes('\n')
  return listed.length < LISTED && kind !== 'tool-edited' && kind !== 'tool-removed'
}

function linesAround(text: string, start: number, end: number): string {
  const from = text.lastIndexOf('\n', Math.max(0, start - 1)) + 1
  const to = text.indexOf('\n', end)
  return text.slice(Math.min(from, start), to < 0 ? undefined : to)
}
