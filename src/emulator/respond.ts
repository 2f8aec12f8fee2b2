/** What is answered: by a script, or when nobody says otherwise, the last thing that the user said. */
import { IndelibleError } from '../base/error.ts'
import { fields, list } from './fields.ts'
import type { Answer, ReceivedRequest, Respond } from './types.ts'

type Responder = (request: ReceivedRequest) => Answer | Promise<Answer>

/** Repeats the last text of the user, whatever the API; `OK` where there is none. */
export const echo = ({ body }: Pick<ReceivedRequest, 'body'>): Answer => ({ text: lastUserText(body) ?? 'OK' })

/**
 * Makes a function of whatever says what to answer. Throws an `IndelibleError` (`answer_invalid`) for what is no answer.
 * A list that is used up is an error of the request that finds it so.
 */
export function createResponder(respond: Respond): Responder {
  if (typeof respond === 'function')
    return async (request) => expectAnswer(await respond(request), 'What respond returned')
  if (!isList(respond)) {
    const answer = expectAnswer(respond, 'respond')
    return () => answer
  }
  const answers = respond.map((answer, index) => expectAnswer(answer, `respond[${index}]`))
  let next = 0
  return () => {
    const answer = answers[next++]
    if (answer !== undefined) return answer
    throw new Error(`The script has ${answers.length} answers, and this is request ${next} to need one.`)
  }
}

function isList(respond: Answer | readonly Answer[]): respond is readonly Answer[] {
  return Array.isArray(respond)
}

const answerKeys = new Set(['text', 'toolCalls', 'thinking'])

function expectAnswer(answer: unknown, where: string): Answer {
  const keys = typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? Object.keys(answer) : null
  if (keys !== null && keys.every((key) => answerKeys.has(key))) return answer as Answer
  const found = keys === null ? JSON.stringify(answer) : `an object with ${keys.join(', ')}`
  throw new IndelibleError('answer_invalid', `${where} is ${found}; an answer is { text?, toolCalls?, thinking? }.`)
}

function lastUserText(body: ReceivedRequest['body']): string | undefined {
  const conversation = body['messages'] ?? body['input'] ?? body['contents']
  if (typeof conversation === 'string') return conversation
  for (const message of list(conversation).toReversed()) {
    const { role, content, parts } = fields(message)
    const text = role === 'user' ? textOf(content ?? parts) : undefined
    if (text !== undefined) return text
  }
  return undefined
}

function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content === '' ? undefined : content
  return list(content)
    .map((part) => fields(part)['text'])
    .findLast((text) => typeof text === 'string' && text !== '') as string | undefined
}
