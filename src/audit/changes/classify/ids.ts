/** Ids: values drawn by lot. Known forms, and any single word that is another each time and follows no order. */
import { changeRate, shareOf, valuesOf, type Guess, type History } from './history.ts'
import { numbersIn } from './numbers.ts'

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i
const label =
  /\b(?:id|ids|uuid|guid|nonce|request|session|trace|span|run|message|sender|correlation|thread|conversation|salt|seed|hash|checksum|key|ref|reference|ticket|token)\b\W*$|[_-]id\W*$|Id\W*$|(?:識別|ид|标识|標識)\W*$/i

/** An id, as far as the history speaks for one. */
export function guessId(history: History): Guess | null {
  const values = valuesOf(history)
  if (shareOf(values, (value) => uuid.test(value)) > 0.6) return { kind: 'id', confidence: 0.97 }
  if (shareOf(values, isWord) < 0.8) return null
  const named = label.test(history.label)
  const distinct = new Set(values).size / values.length
  if (distinct < 0.7) return null
  const drawn = shareOf(values, looksDrawn)
  if (drawn > 0.6) return { kind: 'id', confidence: named ? 0.95 : 0.85 }
  if (named) return { kind: 'id', confidence: isOrdered(history) ? 0.5 : 0.8 }
  if (isOrdered(history) || history.transitions.length < 2) return null
  return changeRate(history) > 0.5 || values.every((value) => !/[a-z]{2}/i.test(value))
    ? { kind: 'id', confidence: 0.6 }
    : null
}

function isWord(value: string): boolean {
  return value !== '' && !/\s/.test(value)
}

/** Long, and letters and digits mixed, or hexadecimal. */
function looksDrawn(value: string): boolean {
  const core = value.replace(/^[a-z]{1,8}[_-]/i, '')
  if (/^[0-9a-f]{8,}$/i.test(core) && /\d/.test(core)) return true
  if (core.length < 8 || !/^[\w+/=-]+$/.test(core)) return false
  const changes = core
    .split('')
    .filter((character, index) => index > 0 && classOf(character) !== classOf(core.charAt(index - 1))).length
  return /\d/.test(core) && /[a-z]/i.test(core) && changes >= core.length / 5
}

function classOf(character: string): number {
  if (/\d/.test(character)) return 0
  return character === character.toLowerCase() ? 1 : 2
}

/** Numbers that all go one way by small steps are no lot. */
function isOrdered({ transitions }: History): boolean {
  const moves = transitions.flatMap(({ before, after }) => {
    const [one, other] = [numbersIn(before)[0], numbersIn(after)[0]]
    return one === undefined || other === undefined ? [] : [other - one]
  })
  return moves.length >= transitions.length * 0.7 && (moves.every((by) => by > 0) || moves.every((by) => by < 0))
}
