import type { ContentBlock, Message, Tool } from '@aws-sdk/client-bedrock-runtime'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { turnTold, type Told } from '../../../test/support/told.ts'
import { layout, type CacheTtl } from '../../cache/index.ts'
import { checkConverse } from '../../emulator/bedrock/check-converse.ts'
import type { Entry, TurnView } from '../../session/types.ts'
import { toBedrockConverse, type BedrockOptions, type BedrockParams } from './index.ts'

const mark: ContentBlock = { cachePoint: { type: 'default', ttl: '1h' } }
const common: fc.Arbitrary<ContentBlock> = fc.constantFrom<ContentBlock[]>({ text: 'Hello' }, { text: ' \n' }, mark)
const said = fc.oneof(
  common,
  fc.constant<ContentBlock>({ image: { format: 'png', source: { bytes: Uint8Array.of(1) } } }),
)
const answered = fc.oneof(
  common,
  fc.constant<ContentBlock>({ reasoningContent: { reasoningText: { text: 'Hm.', signature: 's' } } }),
)

/** A step of a conversation: an answer and the results of its calls, an input, an update. */
const step: fc.Arbitrary<(number: number) => readonly Told<Message>[]> = fc.oneof(
  fc.array(said, { maxLength: 3 }).map((content) => () => [{ role: 'user' as const, content }]),
  fc.constantFrom(['system' as const], ['user' as const]).map((update) => () => [{ update }]),
  fc
    .record({ content: fc.array(answered, { maxLength: 3 }), calls: fc.nat(2) })
    .map(({ content, calls }) => (number: number) => {
      const ids = Array.from({ length: calls }, (_, index) => `call-${number}-${index}`)
      const uses = ids.map((toolUseId): ContentBlock => ({ toolUse: { toolUseId, name: 'read', input: {} } }))
      const results = ids.map((toolUseId): Message => {
        return { role: 'user', content: [{ toolResult: { toolUseId, content: [{ text: '' }] } }, mark] }
      })
      return [{ role: 'assistant' as const, content: [...content, ...uses] }, ...results]
    }),
)

const conversations = fc
  .array(step, { maxLength: 12 })
  .map((steps): readonly Told<Message>[] => [
    { role: 'user', content: [{ text: 'Begin' }] },
    ...steps.flatMap((make, index) => make(index)),
  ])

const ttl = fc.constantFrom<CacheTtl[]>('5m', '1h')
const options: fc.Arbitrary<BedrockOptions> = fc.record(
  {
    ttl: fc.oneof(ttl, fc.record({ head: ttl, tail: ttl })),
    expectedTurns: fc.integer({ min: 1, max: 20 }),
    breakpoints: fc.constant(true),
  },
  { requiredKeys: [] },
)
const models = fc.constantFrom('anthropic.claude-opus-5-5', 'anthropic.claude-3-7-sonnet-20250219-v1:0', 'my-profile')

/** Tools of the caller, marked in a legal order. */
const params: fc.Arbitrary<BedrockParams> = fc
  .record({ model: models, marks: fc.array(ttl, { maxLength: 4 }) })
  .map(({ model, marks }) => {
    const tools = marks
      .toSorted()
      .flatMap((lifetime, index): Tool[] => [
        { toolSpec: { name: `read${index}`, inputSchema: { json: {} } } },
        { cachePoint: { type: 'default', ttl: lifetime } },
      ])
    tools.push({ toolSpec: { name: 'read', inputSchema: { json: {} } } })
    return { modelId: model, toolConfig: { tools }, inferenceConfig: { maxTokens: 100 } }
  })

/** Entries up to the middle are of an earlier epoch. */
function turnOf(told: readonly Told<Message>[], middle: number): TurnView<Message> {
  const { entries } = turnTold(told)
  return turnTold<Message>([], {
    epoch: 2,
    entries: entries.map((entry, index): Entry<Message> => ({ ...entry, epoch: index < middle ? 1 : 2 })),
  })
}

describe('any conversation, lowered for Converse', () => {
  it('gives a request that is not refused, whatever the caller marks', () => {
    fc.assert(
      fc.property(conversations, fc.nat(6), params, options, (told, middle, given, asked) => {
        expect(checkConverse(toBedrockConverse(turnOf(told, middle), given, asked).body)).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('gives every later request the segments of what was answered', () => {
    // No model is named: of old ones the provider itself drops reasoning that is no longer needed.
    const segments = (view: TurnView<Message>, given: BedrockParams, asked: BedrockOptions): readonly unknown[] =>
      layout(toBedrockConverse(view, given, asked).body, { format: 'bedrock-converse', model: 'any' }).segments.map(
        ({ section, role, type, content }) => [section, role, type, content],
      )
    fc.assert(
      fc.property(conversations, fc.nat(6), params, options, options, (told, middle, given, asked, later) => {
        const all = segments(turnOf(told, middle), given, later)
        for (const [index, item] of told.entries()) {
          if (!('role' in item) || item.role !== 'assistant' || index < middle) continue
          const before = segments(turnOf(told.slice(0, index), middle), given, asked)
          expect(all.slice(0, before.length)).toEqual(before)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('gives the same bytes for the same turn, and edits nothing that it was given', () => {
    fc.assert(
      fc.property(conversations, fc.nat(6), params, options, (told, middle, given, asked) => {
        const view = turnOf(told, middle)
        const before = JSON.stringify([view, given])
        const body = JSON.stringify(toBedrockConverse(view, given, asked).body)
        const reversed = Object.fromEntries(Object.entries(given).reverse()) as unknown as BedrockParams
        expect(JSON.stringify(toBedrockConverse(view, reversed, asked).body)).toBe(body)
        expect(JSON.stringify([view, given])).toBe(before)
      }),
      { numRuns: 100 },
    )
  })
})
