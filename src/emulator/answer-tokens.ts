/** What an answer counts as output: an estimate. Thinking is part of the output wherever there is any. */
import { guessTokens, type CountTokens } from '../cache/tokens/count-tokens.ts'
import type { Answer } from './types.ts'

/** Tokens of an answer by what they are for. */
export interface AnswerTokens {
  readonly text: number
  readonly toolCalls: number
  readonly thinking: number
  readonly total: number
}

export function answerTokens(answer: Answer, countTokens: CountTokens = guessTokens): AnswerTokens {
  const count = (text: string | undefined): number => (text === undefined || text === '' ? 0 : countTokens(text))
  const text = count(answer.text)
  const thinking = count(answer.thinking)
  const toolCalls = (answer.toolCalls ?? []).reduce(
    (sum, { name, input }) => sum + count(name) + count(JSON.stringify(input)),
    0,
  )
  return { text, toolCalls, thinking, total: text + toolCalls + thinking }
}
