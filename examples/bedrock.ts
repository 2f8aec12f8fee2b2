/**
 * An agent over Converse of `@aws-sdk/client-bedrock-runtime` whose prompt never changes, though the world does. The lines
 * between `--- Indelible` and `---` are what it took.
 *
 * What could be read here: everything up to the last breakpoint of the answered request, which stands behind the last block
 * of it. The few tokens behind it are the provider's own.
 */
import {
  BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
  type ConverseCommandOutput,
} from '@aws-sdk/client-bedrock-runtime'
import { createBedrock } from './support/bedrock.ts'
import { createCheck } from './support/check.ts'
import { instructions, questions, world } from './support/world.ts'
// --- Indelible
import { combine, createSessions } from 'indelible'
import { bedrockFormat, toBedrockConverse } from 'indelible/bedrock'
import { readUsage } from 'indelible/cache'
import { date, value } from 'indelible/sources'
import { sqliteStore } from 'indelible/sqlite'
// ---

let stop = new AbortController()
const { requestHandler, requests } = createBedrock(() => world.interrupt(stop))
const check = createCheck({ provider: 'bedrock', format: 'bedrock-converse', requests })
const credentials = { accessKeyId: 'any', secretAccessKey: 'any' }
const bedrock = new BedrockRuntimeClient({ region: 'eu-west-1', credentials, requestHandler })

// --- Indelible
const agent = createSessions({
  store: sqliteStore(':memory:'),
  format: bedrockFormat,
  instructions,
  context: combine(
    date({ timeZone: 'UTC', clock: () => world.now() }),
    value('example/branch', () => world.branch, { label: 'The git branch' }),
    value('example/mode', () => world.mode, { label: 'The mode' }),
  ),
  tools: () =>
    world.tools.map(({ parameters, ...tool }) => ({ toolSpec: { ...tool, inputSchema: { json: parameters } } })),
  onToolAdded: 'hold',
})
const session = agent.open('ticket-17')
// ---

for (const question of questions()) {
  // --- Indelible
  await session.submit({ role: 'user', content: [{ text: question }] })
  // ---
  for (;;) {
    // --- Indelible
    const turn = await session.turn()
    const { body } = toBedrockConverse(turn, { modelId: 'anthropic.claude-opus-5' })
    // ---
    const response = await ask(body)
    const message = response?.output?.message
    if (message === undefined) {
      check.interrupted(turn)
      continue
    }
    // --- Indelible
    await turn.answer([message], { usage: readUsage(response) })
    // ---
    check.answered(turn, response)
    const calls = (message.content ?? []).flatMap(({ toolUse }) => toolUse ?? [])
    if (calls.length === 0) break
    const results = calls.map(({ toolUseId, name = '' }) => ({
      toolResult: { toolUseId, content: [{ text: world.run(name) }] },
    }))
    // --- Indelible
    await session.append([{ role: 'user', content: results }])
    // ---
  }
}
// --- Indelible
await agent.close()
// ---
check.end()

/** The answer, or `undefined` where the user interrupts it. */
async function ask(body: ConverseCommandInput): Promise<ConverseCommandOutput | undefined> {
  stop = new AbortController()
  try {
    return await bedrock.send(new ConverseCommand(body), { abortSignal: stop.signal })
  } catch (error) {
    if (stop.signal.aborted) return undefined
    throw error
  }
}
