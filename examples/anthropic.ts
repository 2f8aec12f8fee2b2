/**
 * An agent over `@anthropic-ai/sdk` whose prompt never changes, though the world does. The lines between `--- Indelible`
 * and `---` are what it took.
 *
 * What could be read here: everything up to the last breakpoint of the answered request, which stands on the last block of
 * it. The few tokens behind it are the provider's own.
 */
import Anthropic from '@anthropic-ai/sdk'
import { createCheck } from './support/check.ts'
import { startProvider } from './support/provider.ts'
import { instructions, questions, world } from './support/world.ts'
// --- Indelible
import { combine, createSessions } from 'indelible'
import { anthropicFormat, toAnthropicMessages } from 'indelible/anthropic'
import { readUsage } from 'indelible/cache'
import { date, value } from 'indelible/sources'
import { sqliteStore } from 'indelible/sqlite'
// ---

const provider = await startProvider()
const check = createCheck({ provider: 'anthropic', format: 'anthropic', requests: () => provider.requests() })
const anthropic = new Anthropic({ baseURL: provider.url, apiKey: 'any' })

// --- Indelible
const agent = createSessions({
  store: sqliteStore(':memory:'),
  format: anthropicFormat,
  instructions,
  context: combine(
    date({ timeZone: 'UTC', clock: () => world.now() }),
    value('example/branch', () => world.branch, { label: 'The git branch' }),
    value('example/mode', () => world.mode, { label: 'The mode' }),
  ),
  tools: () => world.tools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
  onToolAdded: 'append',
})
const session = agent.open('ticket-17')
// ---

for (const question of questions()) {
  // --- Indelible
  await session.submit({ role: 'user', content: question })
  // ---
  for (;;) {
    // --- Indelible
    const turn = await session.turn()
    const { body, headers } = toAnthropicMessages(turn, { model: 'claude-opus-5', max_tokens: 1_024 })
    // ---
    const message = await ask(body, headers)
    if (message === null) {
      check.interrupted(turn)
      continue
    }
    const { role, content } = message
    // --- Indelible
    await turn.answer([{ role, content }], { usage: readUsage(message) })
    // ---
    check.answered(turn, message)
    const calls = content.filter((block) => block.type === 'tool_use')
    if (calls.length === 0) break
    const results = calls.map(({ id, name }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: world.run(name),
    }))
    // --- Indelible
    await session.append([{ role: 'user', content: results }])
    // ---
  }
}
// --- Indelible
await agent.close()
// ---
await provider.close()
check.end()

/** The answer, or `null` where the user interrupts it. */
async function ask(
  body: Anthropic.MessageStreamParams,
  headers: Record<string, string>,
): Promise<Anthropic.Message | null> {
  const stop = new AbortController()
  const stream = anthropic.messages.stream(body, { headers, signal: stop.signal })
  stream.on('text', () => world.interrupt(stop))
  try {
    return await stream.finalMessage()
  } catch (error) {
    if (stop.signal.aborted) return null
    throw error
  }
}
