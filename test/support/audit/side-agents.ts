/** What agents do beside their main conversation: titles, and sub-agents with rules of their own. */
import { prose } from '../../injector/prose.ts'
import { Random } from '../random.ts'
import { conversation, toolsOf, type Body } from './coding-agent.ts'

const searches = `You are a file search specialist. You search, and never change a file. ${prose(new Random(88), 6000)}`

/** A call that makes a title; `over` is what else its body has. */
export function titleBody(number: number, over: object = {}): object {
  return {
    model: 'claude-haiku-4-5',
    max_tokens: 60,
    system: 'Write a title of three to five words for the conversation. Answer with the title alone.',
    messages: [{ role: 'user', content: `Title for this: ${prose(new Random(number + 900), 200)}` }],
    ...over,
  }
}

/** Four calls of a sub-agent that searches, or is told other `rules`; `over` is what else its bodies have. */
export function subAgent(seed: number, over: object = {}, rules: string = searches): Body[] {
  return conversation({ turns: 4, seed, rules: () => rules, tools: () => toolsOf().slice(0, 3), over: () => over })
}
