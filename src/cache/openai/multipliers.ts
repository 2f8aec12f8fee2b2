/** What reading and writing cost on GPT-5.6 and later, of the price of a token as input. */
import type { Rule } from '../rule.ts'

/** For most models: GPT-6.1 and 6.2 read at half of it. Money is reckoned with the price table, not with these. */
export const openAIMultipliers: Rule & { readonly read: number; readonly write: number } = {
  read: 0.1,
  write: 1.25,
  since: '2026-12-01',
  source: 'https://developers.openai.com/api/docs/guides/prompt-caching',
  confidence: 'official',
}
