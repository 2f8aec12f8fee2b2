/**
 * What an open session takes of memory, beside what its bare messages take: the heap of a process of its own, divided by
 * the sessions that it has open. Counted is all that V8 holds for the object that `open` returned: entries, the baseline,
 * the instructions, the snapshot. Turns that nobody holds any more are not, and neither are the rows in the database.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { memoryStore } from '../src/index.ts'
import { converse, EVENTS_OF_AN_INPUT, startAgent } from './conversations.ts'
import { onSqlite, sideBySide } from './places.ts'

/** Bytes of the heap for each session. */
export interface Measured {
  /** The messages alone, as JSON.parse gives them. */
  readonly messages: number
  /** The session, after its first turn here. */
  readonly opened: number
  /** The same after more turns at which nothing changed. */
  readonly later: number
  /** What stays when the sessions are let go of. */
  readonly left: number
  readonly entries: number
  readonly characters: number
}

const SESSIONS = 200
const INPUTS = 20
const ROUNDS = 5
/** Of an open session, as a multiple of its messages. */
const AIM = 1.5
/**
 * Of what a session takes, the share that may stay when it was let go of, or come with turns at which nothing changed: what
 * the engine itself learns meanwhile, and the last session that it still knows.
 */
const LEAK = 0.02

/** Runs it and prints. True when within the aim. */
export async function benchMemory(): Promise<boolean> {
  const store = memoryStore()
  const agent = startAgent(store)
  const session = agent.sessions.open('one')
  await converse(agent, session, INPUTS * EVENTS_OF_AN_INPUT)
  await session.submit({ role: 'user', content: 'And now?' })
  await session.turn()
  const place = await onSqlite.make()
  const ids = Array.from({ length: SESSIONS }, (_, index) => idOf(index))
  await place.fill(sideBySide(ids, await store.read('one', 0)))
  const runs: Measured[] = []
  for (let round = 0; round < ROUNDS; round++) runs.push(await run(place.file))
  const of = (name: keyof Measured): number => median(runs.map((one) => one[name]))
  const ratio = of('opened') / of('messages')
  const leak = Math.max(of('later') - of('opened'), of('left')) / of('opened')
  const within = ratio <= AIM && leak <= LEAK
  console.log(
    `${within ? 'within' : 'OVER  '}  ${ratio.toFixed(3).padStart(7)}  (aim ${AIM.toFixed(2)})  memory of an open session, ${INPUTS} inputs with their tool calls, ${of('entries')} entries`,
  )
  console.log(
    `${' '.repeat(31)}${kilobytes(of('opened'))} against ${kilobytes(of('messages'))} kB: its bare messages. After more quiet turns ${kilobytes(of('later'))} kB; let go of, ${kilobytes(of('left'))} kB stay`,
  )
  return within
}

export function idOf(index: number): string {
  return `session-${index}`
}

async function run(file: string): Promise<Measured> {
  const script = fileURLToPath(new URL('memory-run.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, file, String(SESSIONS)])
  return JSON.parse(stdout) as Measured
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? Number.NaN
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1)
}
