/**
 * Law 1 on the wire, for every format, model and platform: random conversations with tool loops, aborted requests, retries,
 * changes of sources and of tools, compactions, moves, refusals and forks. The segments of each answered request must be a
 * prefix of every later one of its epoch, and the provider must accept every body.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aiSdkDialect } from './support/dialects/ai-sdk.ts'
import { anthropicDialect } from './support/dialects/anthropic.ts'
import { bedrockDialect } from './support/dialects/bedrock.ts'
import { googleDialect } from './support/dialects/google.ts'
import { openAIChatDialect } from './support/dialects/openai-chat.ts'
import { openAIResponsesDialect } from './support/dialects/openai-responses.ts'
import { conversation, expectSwitchesToReturn, playConversation, type Dialect } from './support/wire-conversation.ts'

const dialects = [
  anthropicDialect,
  openAIChatDialect,
  openAIResponsesDialect,
  googleDialect,
  bedrockDialect,
  aiSdkDialect,
] as readonly Dialect<unknown>[]

describe.each(dialects.map((dialect) => [dialect.name, dialect] as const))('a session lowered for %s', (_, dialect) => {
  it('sends legal requests whose answered prefix never changes', async () => {
    let checked = 0
    await fc.assert(
      fc.asyncProperty(conversation, async (drawn) => {
        checked += await playConversation(dialect, drawn)
      }),
      { numRuns: Number(process.env['LAWS_RUNS'] ?? 60) },
    )
    expect(checked).toBeGreaterThan(100)
  })

  it('gives each model its own bytes again after a turn with another', async () => {
    await expectSwitchesToReturn(dialect)
  })
})
