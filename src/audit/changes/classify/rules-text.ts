/** Text that someone writes: rules, memory, a list of skills. It changes seldom, by words and lines. */
import { changeRate, shareOf, valuesOf, type Guess, type History } from './history.ts'

/** Text, as far as the history speaks for it. */
export function guessRulesText(history: History): Guess | null {
  if (history.isConversation) return null
  const values = valuesOf(history).filter((value) => value !== '')
  const isSeldom = history.transitions.length === 1 || changeRate(history) < 0.3
  const prose = shareOf(values, (value) => wordsOf(value) >= 4 || value.includes('\n'))
  if (prose > 0.4) return { kind: 'rules-text', confidence: isSeldom ? 0.72 : 0.5 }
  if (isQuoted(history) && values.every((value) => !/\s/.test(value))) return null
  const written = shareOf(values, (value) => /\p{L}{2}/u.test(value))
  if (written < 0.5 || history.blockLength < LEAST || !isSeldom) return null
  return { kind: 'rules-text', confidence: 0.45 }
}

/** Between quotes stands a value: what mode something is in, not how a rule is worded. */
function isQuoted({ label, trailer }: History): boolean {
  return /["'`]$/.test(label) && label.at(-1) === trailer.at(0)
}

/** UTF-16 units of a text that has rules in it. */
const LEAST = 80

function wordsOf(value: string): number {
  return value.match(/\p{L}{2,}/gu)?.length ?? 0
}
