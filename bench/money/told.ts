/**
 * What the model was told. A value counts as told where its line stands in the system prompt of the request that was sent
 * after it changed, or in what that request has behind the last answer: neither what was true earlier nor what a tool
 * happened to return tells the model what is true now.
 */
import type { Exchange } from './play.ts'
import { KEYS } from './world.ts'

interface Block {
  readonly type: string
  readonly text?: string
}

interface Message {
  readonly role: string
  readonly content: string | readonly Block[]
}

/** How many values changed between two requests, and how many of these the later one tells. */
export function told(exchanges: readonly Exchange[]): { readonly told: number; readonly changes: number } {
  let [count, changes] = [0, 0]
  for (const [index, { body, truth }] of exchanges.entries()) {
    const before = exchanges[index - 1]?.truth
    if (before === undefined) continue
    const changed = KEYS.filter((key) => truth[key] !== before[key])
    const texts = newTexts(body)
    changes += changed.length
    count += changed.filter((key) => texts.some((text) => hasParagraph(text, truth[key]))).length
  }
  return { told: count, changes }
}

/** A list that goes on is another list. */
function hasParagraph(text: string, paragraph: string): boolean {
  return `\n\n${text}\n\n`.includes(`\n\n${paragraph}\n\n`)
}

function newTexts(body: Exchange['body']): readonly string[] {
  const { system, messages } = body as { readonly system?: Message['content']; readonly messages: readonly Message[] }
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  return [system ?? [], ...messages.slice(last + 1).map(({ content }) => content)].flatMap(textsOf)
}

function textsOf(content: Message['content']): readonly string[] {
  if (typeof content === 'string') return [content]
  return content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []))
}
