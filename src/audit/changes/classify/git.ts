/** What git says: branches, commits, the state of a working copy. */
import { changeRate, shareOf, valuesOf, type Guess, type History } from './history.ts'

const strong =
  /\b(?:git|branch|zweig|branche|rama|HEAD|commit|worktree|upstream|checked out)\b|ветк|分支|ブランチ|สาขา|브랜치/i
const weak = /\b(?:repo|repository|status|changes|staged|unstaged|modified|untracked|dirty|ahead|behind|diff|log)\b/i
const statusLine = /^(?:[ MADRCUT?!]{2} \S|(?:modified|new file|deleted|renamed|both modified): )/m
const words =
  /\b(?:working tree|clean|dirty|modified|untracked|staged|uncommitted|ahead|behind|nothing to commit|files? changed)\b/i

/** Something of git, as far as the history speaks for it. */
export function guessGit(history: History): Guess | null {
  const values = valuesOf(history)
  const { label, trailer, heading } = history
  if (shareOf(values, isGitStatus) > 0.4) return { kind: 'git', confidence: 0.9 }
  if (strong.test(label) || strong.test(trailer)) return { kind: 'git', confidence: 0.92 }
  const said = shareOf(values, (value) => words.test(value)) > 0.4 || words.test(trailer)
  if (weak.test(label) && said) return { kind: 'git', confidence: 0.94 }
  if (said) return { kind: 'git', confidence: 0.75 }
  if (weak.test(label)) return { kind: 'git', confidence: 0.7 }
  if (strong.test(heading)) return { kind: 'git', confidence: /\n\s*\n\s*\S*$/.test(heading) ? 0.4 : 0.55 }
  if (
    shareOf(values, (value) =>
      /^(?:feat|feature|fix|bugfix|hotfix|chore|release|main|master|develop|dev)(?:[/-]\S+)?$/i.test(value),
    ) > 0.4
  ) {
    return { kind: 'git', confidence: 0.82 }
  }
  return comesBack(history, values) ? { kind: 'git', confidence: 0.5 } : null
}

/** True for lines as `git status` prints them. */
export function isGitStatus(value: string): boolean {
  return statusLine.test(value)
}

/** A single word that changes seldom and is left for one that was there before: what someone switches between. */
function comesBack(history: History, values: readonly string[]): boolean {
  if (changeRate(history) > 0.5 || values.length < 3 || values.some((value) => /\s/.test(value) || value === ''))
    return false
  return new Set(values).size < values.length && values.some((value) => /\p{L}/u.test(value))
}
