/**
 * What kind of value a span is. Every family says how much the history speaks for it, by what the values look like, by
 * how they move with turns and time, and by what stands beside them; the best word wins, in this order between equals.
 */
import { guessCounter } from './counters.ts'
import { guessGit } from './git.ts'
import type { Guess, History } from './history.ts'
import { guessId } from './ids.ts'
import { guessPath } from './path.ts'
import { guessRulesText } from './rules-text.ts'
import { guessTime } from './time.ts'

const families = [guessTime, guessCounter, guessGit, guessPath, guessId, guessRulesText]

/** Below this, nothing was said. */
const LEAST = 0.25

/** The kind of a span; `unknown` where nothing speaks for any. */
export function classify(history: History): Guess {
  let best: Guess = { kind: 'unknown', confidence: LEAST }
  for (const family of families) {
    const guess = family(history)
    if (guess !== null && guess.confidence > best.confidence) best = guess
  }
  return best
}
