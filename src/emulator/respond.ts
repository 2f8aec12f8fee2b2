/** What is answered when nobody says otherwise: the last thing that the user said. */
import { fields, list } from './fields.ts'
import type { Answer, ReceivedRequest, Respond } from './types.ts'

/** Repeats the last text of the user, whatever the API; `OK` where there is none. */
export const echo = ({ body }: Pick<ReceivedRequest, 'body'>): Answer => ({ text: lastUserText(body) ?? 'OK' })

/** The answer to a request. */
export async function answerTo(request: ReceivedRequest, respond: Respond): Promise<Answer> {
  return typeof respond === 'function' ? await respond(request) : respond
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
