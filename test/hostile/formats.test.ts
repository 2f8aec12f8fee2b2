/**
 * Messages that only look like messages: JSON of any shape, in every format. A session refuses one with an error of ours, or
 * keeps it and goes on: it must not take in what makes every later turn fail.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryStore, plainFormat, type Format } from '../../src/index.ts'
import { collect } from '../support/session.ts'
import { aiSdkDialect } from '../support/dialects/ai-sdk.ts'
import { anthropicDialect } from '../support/dialects/anthropic.ts'
import { bedrockDialect } from '../support/dialects/bedrock.ts'
import { googleDialect } from '../support/dialects/google.ts'
import { openAIChatDialect } from '../support/dialects/openai-chat.ts'
import { openAIResponsesDialect } from '../support/dialects/openai-responses.ts'
import type { Dialect } from '../support/wire-conversation.ts'
import { expectSettled, outcomeOf, runs, sessionsOver, settle } from './neighbours.ts'

/** Words that mean something to one format or another. */
const words = [
  'user',
  'assistant',
  'tool',
  'model',
  'function',
  'system',
  'text',
  'tool_use',
  'tool_result',
  'tool-call',
  'tool-result',
  'function_call',
  'function_call_output',
  'message',
  'reasoning',
  'thinking',
  'image',
  'document',
  'c1',
  '',
  '__proto__',
  'constructor',
  '\ud800',
  '\0',
  '</outside-text>',
]
const keys = [
  'role',
  'content',
  'parts',
  'type',
  'text',
  'tool_calls',
  'tool_call_id',
  'id',
  'tool_use_id',
  'call_id',
  'function',
  'functionCall',
  'functionResponse',
  'toolUse',
  'toolResult',
  'toolUseId',
  'toolCallId',
  'output',
  'input',
  'name',
  'arguments',
  'cachePoint',
  'cache_control',
  'providerOptions',
  'providerExecuted',
  'source',
  'audio',
  'status',
  'summary',
  'execution',
  'image',
  'bytes',
  'data',
  'thought',
  'thoughtSignature',
  'reasoningContent',
  '__proto__',
  'constructor',
  'toString',
]

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    { weight: 3, arbitrary: fc.constantFrom(...words) },
    { weight: 1, arbitrary: fc.constantFrom(null, true, false, 0, -1, 1.5) },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    {
      weight: 4,
      arbitrary: fc
        .array(fc.tuple(fc.constantFrom(...keys), tie('value')), { maxLength: 5 })
        .map((entries) => Object.fromEntries(entries)),
    },
  ),
})).value

/** What passes for a part of a message until somebody looks into it. */
const part = fc
  .tuple(
    fc.constantFrom(...words.filter((word) => word.length > 3)),
    fc.array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 4 }),
    fc.boolean(),
  )
  .map(([type, entries, typed]) => ({ ...(typed && { type }), ...Object.fromEntries(entries) }))
const parts = fc.array(fc.oneof({ weight: 8, arbitrary: part }, { weight: 1, arbitrary: value }), { maxLength: 3 })

/** A message of a role, and else of anything; or no message at all. */
const message = fc.oneof(
  { weight: 1, arbitrary: value },
  {
    weight: 6,
    arbitrary: fc
      .record(
        {
          role: fc.constantFrom('user', 'assistant', 'tool', 'model'),
          content: fc.oneof(value, parts),
          parts,
          type: fc.constantFrom('message', 'function_call', 'function_call_output', 'reasoning'),
          tool_calls: value,
          tool_call_id: value,
          call_id: value,
        },
        { requiredKeys: [] },
      )
      .map((drawn) => ({ ...drawn })),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      role: fc.constantFrom('user', 'assistant', 'tool', 'model'),
      content: parts,
    }),
  },
)

const dialects = [
  anthropicDialect,
  openAIChatDialect,
  openAIResponsesDialect,
  googleDialect,
  bedrockDialect,
  aiSdkDialect,
] as readonly Dialect<unknown>[]

const formats: readonly {
  readonly name: string
  readonly format: Format<unknown>
  readonly targets: Dialect<unknown>['targets']
}[] = [{ name: 'the plain format', format: plainFormat, targets: [] }, ...dialects]

describe.each(formats)('messages of any shape in $name', ({ format, targets }) => {
  it('are refused with an error of ours, or kept without harm to what comes after', async () => {
    const store = memoryStore()
    const settled = await settle(store)
    let kept = 0
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 4 }), async (messages) => {
        const sessions = sessionsOver<unknown>(store, { format })
        const session = sessions.open('hostile')
        for (const one of messages) {
          await outcomeOf(() => session.submit(one))
          await outcomeOf(() => session.append([one]))
          const turn = await outcomeOf(() => session.turn())
          if (!('value' in turn)) continue
          for (const target of targets) await outcomeOf(() => target.lower(turn.value))
          const answered = await outcomeOf(() => turn.value.answer([one]))
          if ('value' in answered) kept++
          await outcomeOf(() => session.compact({ summary: [one], through: turn.value.revision }))
        }
        expect(await session.verify()).toEqual({ ok: true, problems: [] })
        // As a process that starts now sees it.
        const again = sessions.open('hostile')
        expect(await again.verify()).toEqual({ ok: true, problems: [] })
        await collect(again.events())
        await outcomeOf(() => again.turn())
        await sessions.delete('hostile')
        // The same where the host keeps the history.
        const hosted = sessions.attach('hostile')
        for (let end = 1; end <= messages.length; end++) {
          const turn = await outcomeOf(() => hosted.turn({ history: messages.slice(0, end), onRewrite: 'epoch' }))
          if (!('value' in turn)) continue
          for (const target of targets) await outcomeOf(() => target.lower(turn.value))
        }
        expect(await hosted.verify()).toEqual({ ok: true, problems: [] })
        await sessions.delete('hostile')
      }),
      { numRuns: runs(150) },
    )
    expect(kept).toBeGreaterThan(0)
    await expectSettled(store, settled)
  })
})
