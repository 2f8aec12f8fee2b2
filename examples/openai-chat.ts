/**
 * An agent over Chat Completions of `openai` whose prompt never changes, though the world does. The lines between
 * `--- Indelible` and `---` are what it took.
 *
 * What could be read here, from GPT-5.6 on: everything up to a boundary that the new request has too. The end of each user
 * message and of each group of tool results is one; an update that stands behind those is marked, and stays so.
 */
import OpenAI from 'openai'
import { createCheck } from './support/check.ts'
import { startProvider } from './support/provider.ts'
import { instructions, questions, world } from './support/world.ts'
// --- Indelible
import { combine, createSessions } from 'indelible'
import { readUsage } from 'indelible/cache'
import { openAIChatFormat, toOpenAIChat } from 'indelible/openai'
import { date, value } from 'indelible/sources'
import { sqliteStore } from 'indelible/sqlite'
// ---

const provider = await startProvider()
const check = createCheck({ provider: 'openai', format: 'openai-chat', requests: () => provider.requests() })
const openai = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'any' })

// --- Indelible
const agent = createSessions({
  store: sqliteStore(':memory:'),
  format: openAIChatFormat,
  instructions,
  context: combine(
    date({ timeZone: 'UTC', clock: () => world.now() }),
    value('example/branch', () => world.branch, { label: 'The git branch' }),
    value('example/mode', () => world.mode, { label: 'The mode' }),
  ),
  tools: () => world.tools.map((tool) => ({ type: 'function', function: tool })),
  onToolAdded: 'hold',
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
    const { body } = toOpenAIChat(turn, { model: 'gpt-5.6-sol', stream_options: { include_usage: true } })
    // ---
    const completion = await ask(body)
    const message = completion?.choices[0]?.message
    if (message === undefined) {
      check.interrupted(turn)
      continue
    }
    const { role, content, tool_calls: calls = [] } = message
    // --- Indelible
    await turn.answer([{ role, content, ...(calls.length > 0 && { tool_calls: calls }) }], {
      usage: readUsage(completion),
    })
    // ---
    check.answered(turn, completion)
    if (calls.length === 0) break
    const results = calls.map((call) => {
      const result = call.type === 'function' ? world.run(call.function.name) : 'There is no such tool.'
      return { role: 'tool' as const, tool_call_id: call.id, content: result }
    })
    // --- Indelible
    await session.append(results)
    // ---
  }
}
// --- Indelible
await agent.close()
// ---
await provider.close()
check.end()

/** The answer, or `undefined` where the user interrupts it. */
async function ask(body: OpenAI.ChatCompletionCreateParamsNonStreaming): Promise<OpenAI.ChatCompletion | undefined> {
  const stop = new AbortController()
  const stream = openai.chat.completions.stream({ ...body, stream: true }, { signal: stop.signal })
  stream.on('content', () => world.interrupt(stop))
  try {
    return await stream.finalChatCompletion()
  } catch (error) {
    if (stop.signal.aborted) return undefined
    throw error
  }
}
