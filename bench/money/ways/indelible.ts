/** Indelible: the instructions and what was true at first are frozen, and every change is told by an update. */
import type { ContentBlockParam, MessageParam } from '@anthropic-ai/sdk/resources/messages'
import { combine, createSessions, defineSource, memoryStore, type Context } from '../../../src/index.ts'
import { readUsage } from '../../../src/cache/index.ts'
import { anthropicFormat, toAnthropicMessages } from '../../../src/wire/anthropic/index.ts'
import type { Way } from '../way.ts'
import { INSTRUCTIONS, KEYS, type Key, type World } from '../world.ts'
import { connect, parameters, runCalls } from './plain.ts'

const { tools, ...rest } = parameters

export const indelible: Way = {
  name: 'Indelible',
  kind: 'indelible',
  open(setting) {
    const { world } = setting
    const client = connect(setting)
    let ids = 0
    const sessions = createSessions<MessageParam>({
      store: memoryStore(),
      format: anthropicFormat,
      instructions: INSTRUCTIONS,
      context: combine(...KEYS.map((key) => sourceOf(world, key))),
      tools: () => tools,
      clock: world.now,
      // A random nonce has another number of tokens in each run.
      createId: () => `bench-${String(++ids).padStart(6, '0')}`,
    })
    const session = sessions.open('bench')
    return {
      async say(text) {
        await session.submit({ role: 'user', content: text })
        for (;;) {
          const turn = await session.turn()
          const { body, headers } = toAnthropicMessages(turn, rest)
          const message = await client.messages.create(body, { headers })
          const { role, content } = message
          await turn.answer([{ role, content: content as ContentBlockParam[] }], { usage: readUsage(message) })
          const results = runCalls(world, content)
          if (results.length === 0) return
          await session.append([{ role: 'user', content: results }])
        }
      },
    }
  },
}

/** A line of the prompt, told whole whenever it changes: the clock too, which is what costs most here. */
function sourceOf(world: World, key: Key): Context {
  return defineSource<string>({
    key: `bench/${key}`,
    codec: { encode: (line) => line, decode: String },
    load: () => world.line(key),
    baseline: (line) => line,
    update: (_, line) => line,
  })
}
