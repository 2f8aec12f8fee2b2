/**
 * An agent over `streamText` of `ai` whose prompt never changes, though the world does. The SDK runs the loop of tools, and
 * the program keeps the history. The lines between `--- Indelible` and `---` are what it took.
 *
 * What could be read here, from Claude: everything up to the last breakpoint of the answered request, which stands on the
 * last block of it. The few tokens behind it are the provider's own.
 */
import { createAnthropic } from '@ai-sdk/anthropic'
import {
  asSchema,
  isStepCount,
  jsonSchema,
  streamText,
  tool,
  wrapLanguageModel,
  type ModelMessage,
  type ToolSet,
} from 'ai'
import { createCheck } from './support/check.ts'
import { startProvider } from './support/provider.ts'
import { instructions, questions, world } from './support/world.ts'
// --- Indelible
import { combine, createSessions } from 'indelible'
import { aiSdkFormat, freezeTools, prepareStep, toolsOf } from 'indelible/ai-sdk'
import { date, value } from 'indelible/sources'
import { sqliteStore } from 'indelible/sqlite'
// ---

const provider = await startProvider()
const check = createCheck({ provider: 'anthropic', format: 'anthropic', requests: () => provider.requests() })
const anthropic = createAnthropic({ baseURL: `${provider.url}/v1`, apiKey: 'any' })
const history: ModelMessage[] = []

// --- Indelible
const agent = createSessions({
  store: sqliteStore(':memory:'),
  format: aiSdkFormat,
  instructions,
  context: combine(
    date({ timeZone: 'UTC', clock: () => world.now() }),
    value('example/branch', () => world.branch, { label: 'The git branch' }),
    value('example/mode', () => world.mode, { label: 'The mode' }),
  ),
  tools: () => toolsOf(toolSet(), asSchema),
  onToolAdded: 'hold',
})
const prepare = prepareStep(agent.attach('ticket-17'))
const model = wrapLanguageModel({ model: anthropic('claude-opus-5'), middleware: freezeTools(prepare) })
// ---

for (const question of questions()) {
  history.push({ role: 'user', content: question })
  while (history.at(-1)?.role === 'user') {
    const stop = new AbortController()
    const result = streamText({
      model,
      messages: history,
      tools: toolSet(),
      stopWhen: isStepCount(5),
      abortSignal: stop.signal,
      // --- Indelible
      prepareStep: prepare,
      allowSystemInMessages: true,
      // ---
      onStepEnd: ({ usage }) => {
        if (prepare.turn !== null) check.answered(prepare.turn, { usage })
      },
    })
    for await (const _ of result.textStream) world.interrupt(stop)
    if (!stop.signal.aborted) history.push(...(await result.responseMessages))
    else if (prepare.turn !== null) check.interrupted(prepare.turn)
  }
}
// --- Indelible
await agent.close()
// ---
await provider.close()
check.end()

/** The tools as they are now. */
function toolSet(): ToolSet {
  const entries = world.tools.map(({ name, description, parameters }) => {
    const execute = (): string => world.run(name)
    return [name, tool({ description, inputSchema: jsonSchema(parameters), execute })] as const
  })
  return Object.fromEntries(entries)
}
