/** What lowering a long conversation costs, against writing its request out as JSON. */
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import { createSessions, defineSource, memoryStore } from '../src/index.ts'
import type { Turn } from '../src/index.ts'
import { anthropicFormat, toAnthropicMessages } from '../src/wire/anthropic/index.ts'
import { seeded, text } from './fixtures.ts'
import type { Comparison } from './harness.ts'

const ENTRIES = 2000

/** One long tool loop with a change now and then, as an agent at work leaves it. */
async function toolLoop(): Promise<Turn<MessageParam>> {
  const random = seeded(11)
  let branch = 'main'
  const context = defineSource<string>({
    key: 'bench/branch',
    codec: { encode: (value) => value, decode: String },
    load: () => branch,
    baseline: (current) => `The branch is ${current}.`,
    update: (_previous, current) => `The branch is now ${current}.`,
  })
  const sessions = createSessions<MessageParam>({
    store: memoryStore(),
    format: anthropicFormat,
    context,
    instructions: text(random, 4000),
  })
  const session = sessions.open('bench')
  await session.submit({ role: 'user', content: text(random, 300) })
  let turn = await session.turn()
  for (let index = 0; turn.entries.length < ENTRIES; index++) {
    const id = `toolu_${index}`
    await turn.answer([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: text(random, 100) },
          { type: 'tool_use', id, name: 'read_file', input: { path: text(random, 80) } },
        ],
      },
    ])
    await session.append([
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text(random, 210) }] },
    ])
    if (index % 50 === 0) branch = `feature/${index}`
    turn = await session.turn()
  }
  return turn
}

function lowering(name: string, model: string): Comparison {
  return {
    name: `lowering ${ENTRIES} entries of a tool loop for Anthropic, ${name} updates`,
    against: 'JSON.stringify of the body',
    aim: 0.1,
    async prepare() {
      const turn = await toolLoop()
      const params = { model, max_tokens: 1024 }
      const { body } = toAnthropicMessages(turn, params)
      return { reference: () => JSON.stringify(body), subject: () => toAnthropicMessages(turn, params) }
    },
  }
}

export const lowerings: readonly Comparison[] = [
  lowering('native', 'claude-opus-4-8'),
  lowering('tagged', 'claude-sonnet-4-5'),
]
