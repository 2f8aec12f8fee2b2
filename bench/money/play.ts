/**
 * Plays the conversation in one way, over HTTP, against an emulator of its own: strict, so that what the provider would refuse
 * ends the bench, and with the clock of the world, so that entries live as long as they would.
 */
import { startEmulator, type LoggedRequest } from '../../src/emulator/index.ts'
import type { CountTokens } from '../../src/cache/index.ts'
import { script } from './script.ts'
import { MODEL, type Way } from './way.ts'
import { KEYS, World, type Key } from './world.ts'

/** One request, as it arrived, and what was true when it was built. */
export interface Exchange {
  readonly at: string
  readonly body: LoggedRequest['body']
  readonly answer: unknown
  readonly truth: Readonly<Record<Key, string>>
}

/** Every way has to send as many requests as the script has steps. Throws otherwise, and when one is refused. */
export async function play(way: Way, countTokens: CountTokens): Promise<readonly Exchange[]> {
  const world = new World()
  const truths: Exchange['truth'][] = []
  const logged: LoggedRequest[] = []
  await using emulator = await startEmulator({
    strict: true,
    clock: world.now,
    countTokens,
    log: (request) => void logged.push(request),
    respond() {
      const turn = truths.length
      const step = script[turn]
      if (step === undefined) throw new Error(`${way.name} asks more often than the script answers`)
      truths.push(Object.fromEntries(KEYS.map((key) => [key, world.line(key)])) as Exchange['truth'])
      world.moveOn()
      const calls = step.calls ?? []
      // Ids of calls are sent back, and have to have as many tokens in every run.
      const toolCalls = calls.map(({ name, input }, call) => ({
        name,
        input: { ...input } as object as never,
        id: idOf(turn, call),
      }))
      return { text: step.answer, toolCalls }
    },
  })
  const agent = way.open({ url: emulator.url, apiKey: 'bench', world })
  for (const { user } of script) if (user !== undefined) await agent.say(user)
  if (truths.length !== script.length) throw new Error(`${way.name} sent ${truths.length} requests of ${script.length}`)
  return logged.map(({ startedAt, body, answer, status, model }, turn) => {
    if (status !== 200 || model !== MODEL)
      throw new Error(`${way.name}: request ${turn + 1} of ${model} ended with ${status}`)
    return { at: startedAt, body, answer, truth: truths[turn] as Exchange['truth'] }
  })
}

function idOf(turn: number, call: number): string {
  return `toolu_${String(turn + 1).padStart(2, '0')}${String(call + 1).padStart(2, '0')}`
}
