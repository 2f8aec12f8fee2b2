/**
 * An agent over `@google/genai` whose prompt never changes, though the world does. The lines between `--- Indelible` and
 * `---` are what it took.
 *
 * What could be read here: whatever two requests begin with alike, to the token. Google promises none of it; the emulator
 * answers with the upper bound.
 */
import { GoogleGenAI, type Content, type GenerateContentParameters, type GenerateContentResponse } from '@google/genai'
import { createCheck } from './support/check.ts'
import { startProvider } from './support/provider.ts'
import { instructions, questions, world } from './support/world.ts'
// --- Indelible
import { combine, createSessions } from 'indelible'
import { readUsage } from 'indelible/cache'
import { googleFormat, toGoogleContents } from 'indelible/google'
import { date, value } from 'indelible/sources'
import { sqliteStore } from 'indelible/sqlite'
// ---

const provider = await startProvider()
const check = createCheck({ provider: 'gemini', format: 'gemini', requests: () => provider.requests() })
const google = new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: provider.url } })

// --- Indelible
const agent = createSessions({
  store: sqliteStore(':memory:'),
  format: googleFormat,
  instructions,
  context: combine(
    date({ timeZone: 'UTC', clock: () => world.now() }),
    value('example/branch', () => world.branch, { label: 'The git branch' }),
    value('example/mode', () => world.mode, { label: 'The mode' }),
  ),
  tools: () => world.tools.map(({ parameters, ...tool }) => ({ ...tool, parametersJsonSchema: parameters })),
  onToolAdded: 'hold',
})
const session = agent.open('ticket-17')
// ---

for (const question of questions()) {
  // --- Indelible
  await session.submit({ role: 'user', parts: [{ text: question }] })
  // ---
  for (;;) {
    // --- Indelible
    const turn = await session.turn()
    const { body } = toGoogleContents(turn, { model: 'gemini-3.8-flash' })
    // ---
    const chunks = await ask(body)
    if (chunks === null) {
      check.interrupted(turn)
      continue
    }
    const answer: Content = {
      role: 'model',
      parts: chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []),
    }
    // --- Indelible
    await turn.answer([answer], { usage: readUsage(chunks.at(-1)) })
    // ---
    check.answered(turn, chunks.at(-1))
    const calls = chunks.flatMap((chunk) => chunk.functionCalls ?? [])
    if (calls.length === 0) break
    const results = calls.map(({ id, name = '' }) => ({
      functionResponse: { ...(id !== undefined && { id }), name, response: { output: world.run(name) } },
    }))
    // --- Indelible
    await session.append([{ role: 'user', parts: results }])
    // ---
  }
}
// --- Indelible
await agent.close()
// ---
await provider.close()
check.end()

/** The pieces of the answer, or `null` where the user interrupts it. */
async function ask(body: GenerateContentParameters): Promise<GenerateContentResponse[] | null> {
  const stop = new AbortController()
  const chunks: GenerateContentResponse[] = []
  try {
    const config = { ...body.config, abortSignal: stop.signal }
    for await (const chunk of await google.models.generateContentStream({ ...body, config })) {
      chunks.push(chunk)
      world.interrupt(stop)
    }
    return chunks
  } catch (error) {
    if (stop.signal.aborted) return null
    throw error
  }
}
