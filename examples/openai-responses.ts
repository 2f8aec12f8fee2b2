/**
 * An agent over Responses of `openai` whose prompt never changes, though the world does. The lines between `--- Indelible`
 * and `---` are what it took.
 *
 * What could be read here, from GPT-5.6 on: everything up to a boundary that the new request has too. The end of each user
 * message and of each group of tool results is one; an update that stands behind those is marked, and stays so.
 */
import OpenAI from 'openai'
import type { Response, ResponseCreateParams, ResponseInputItem } from 'openai/resources/responses/responses'
import { createCheck } from './support/check.ts'
import { startProvider } from './support/provider.ts'
import { instructions, questions, world } from './support/world.ts'
// --- Indelible
import { combine, createSessions } from 'indelible'
import { readUsage } from 'indelible/cache'
import { openAIResponsesFormat, toOpenAIResponses } from 'indelible/openai'
import { date, value } from 'indelible/sources'
import { sqliteStore } from 'indelible/sqlite'
// ---

const provider = await startProvider()
const check = createCheck({ provider: 'openai', format: 'openai-responses', requests: () => provider.requests() })
const openai = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'any' })

// --- Indelible
const agent = createSessions({
  store: sqliteStore(':memory:'),
  format: openAIResponsesFormat,
  instructions,
  context: combine(
    date({ timeZone: 'UTC', clock: () => world.now() }),
    value('example/branch', () => world.branch, { label: 'The git branch' }),
    value('example/mode', () => world.mode, { label: 'The mode' }),
  ),
  tools: () => world.tools.map((tool) => ({ type: 'function', strict: false, ...tool })),
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
    const { body } = toOpenAIResponses(turn, { model: 'gpt-6.1-sol', store: false })
    // ---
    const response = await ask(body)
    if (response === null) {
      check.interrupted(turn)
      continue
    }
    // --- Indelible
    await turn.answer(response.output as ResponseInputItem[], { usage: readUsage(response) })
    // ---
    check.answered(turn, response)
    const calls = response.output.filter((item) => item.type === 'function_call')
    if (calls.length === 0) break
    const results = calls.map(({ call_id, name }) => ({
      type: 'function_call_output' as const,
      call_id,
      output: world.run(name),
    }))
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

/** The answer, or `null` where the user interrupts it. */
async function ask(body: ResponseCreateParams): Promise<Response | null> {
  const stop = new AbortController()
  const stream = await openai.responses.create({ ...body, stream: true }, { signal: stop.signal })
  for await (const event of stream) {
    if (event.type === 'response.output_text.delta') world.interrupt(stop)
    if (event.type === 'response.completed') return event.response
  }
  return null
}
