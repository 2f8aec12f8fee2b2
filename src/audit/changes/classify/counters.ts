/**
 * Counters and what is left of a budget: numbers in any notation that step one way, and marks that grow one by one.
 */
import { shareOf, type Guess, type History } from './history.ts'
import { numbersIn, templateOf } from './numbers.ts'

const tokenLabel =
  /\b(?:tokens?|context(?: window| left| used)?|budget|credits?|quota|kontingent|jetons?)\b|トークン|токен|令牌|โทเค็น/i
const countLabel =
  /\b(?:iteration|turn|step|count|counter|attempt|round|message|request|call|number|no|nr|page|seq|sequence|index|loop|try|retry|left|remaining)\b|#\s*$/i

/** A counter, as far as the history speaks for one. */
export function guessCounter(history: History): Guess | null {
  const { transitions, label, trailer } = history
  const moves = transitions.flatMap(({ before, after }) => {
    const [one, other] = [numbersIn(before), numbersIn(after)]
    const [first, second] = [one[0], other[0]]
    if (first === undefined || second === undefined || one.length !== other.length) return []
    if (templateOf(before) !== templateOf(after) && /\d/.test(before)) return []
    const changed = one.findIndex((number, index) => number !== other[index])
    return changed < 0 ? [] : [(other[changed] as number) - (one[changed] as number)]
  })
  const named = countLabel.test(label) || countLabel.test(trailer)
  if (moves.length < transitions.length * 0.7 || moves.length === 0) return growing(history)
  if (tokenLabel.test(label) || tokenLabel.test(trailer) || transitions.some(({ after }) => tokenLabel.test(after))) {
    return { kind: 'remaining-tokens', confidence: 0.93 }
  }
  const up = shareOf(moves, (by) => by > 0)
  const oneWay = Math.max(up, 1 - up)
  const steps = new Set(moves.map(Math.abs)).size
  const small = moves.every((by) => Math.abs(by) <= 20)
  if (moves.length === 1) return { kind: 'counter', confidence: (named ? 0.75 : 0.5) + (small ? 0.1 : 0) }
  if (oneWay < 0.7) return { kind: 'counter', confidence: named ? 0.6 : small ? 0.5 : 0.3 }
  return { kind: 'counter', confidence: small && steps <= 2 ? 0.9 : named ? 0.85 : small ? 0.8 : 0.65 }
}

/** Marks that grow or shrink one way: `|||`, `[###...]`, `★★☆`. */
function growing({ transitions }: History): Guess | null {
  if (transitions.length < 2) return null
  const moves = transitions.map(({ before, after }) => marks(after) - marks(before))
  const few = transitions.every(({ after }) => new Set(after).size <= 4 && after !== '')
  const oneWay = moves.every((by) => by > 0) || moves.every((by) => by < 0)
  return few && oneWay ? { kind: 'counter', confidence: 0.8 } : null
}

/** How often the first character stands there. */
function marks(value: string): number {
  const characters = Array.from(value)
  const mark = characters.find((character) => !'[(<{ '.includes(character))
  return characters.filter((character) => character === mark).length
}
