/** `indelible demo`: sets up the folder, runs the conversation, shows what it came to. */
import { existsSync, rmSync } from 'node:fs'
import { mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { loadTokenCounter } from '../../cache/index.ts'
import { createSessions, type Verification } from '../../session/index.ts'
import { sqliteStore } from '../../store/sqlite/index.ts'
import { anthropicFormat } from '../../wire/anthropic/index.ts'
import { CommandError } from '../errors.ts'
import { createPaint, type Output } from '../output.ts'
import { printableJson } from '../printable.ts'
import { INSTRUCTIONS } from './agent.ts'
import { checkConversation, type Check } from './check.ts'
import { converse, type TurnRecord } from './conversation.ts'
import { printChecks, printHead, printTotals, printTurns, printWhereabouts } from './print.ts'
import { startProvider, type Provider } from './provider.ts'
import { createReport } from './report.ts'
import { cloneRepository, createRepository } from './repository.ts'
import { createScript } from './script.ts'
import { anew, epochs, split } from './ways.ts'
import { World } from './world.ts'

export interface DemoOptions {
  readonly turns: number
  readonly repo?: string
  /** Path of the SQLite file, which must not be there yet. */
  readonly out?: string
  readonly json?: boolean
}

const SESSION = 'demo'

/** Runs the demo and returns 0, or 1 when what it claims did not hold. */
export async function runDemo(options: DemoOptions, output: Output): Promise<0 | 1> {
  if (options.out !== undefined && existsSync(options.out)) {
    throw new CommandError(`${options.out} is there already. Give the path of a file that is not, or remove it first.`)
  }
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'indelible-demo-')))
  const repository = join(folder, 'repository')
  const file = options.out === undefined ? join(folder, 'session.sqlite') : resolve(options.out)
  // Until the session is whole, nothing of it is kept.
  let leftovers = [folder, file, `${file}-wal`, `${file}-shm`]
  const cleanUp = (): void => {
    for (const path of leftovers) rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  }
  const interrupted = (): void => {
    cleanUp()
    process.exit(130)
  }
  process.once('SIGINT', interrupted)
  try {
    const result = await run(options, repository, file)
    leftovers = [options.out === undefined ? repository : folder]
    show(options, result, file, output)
    return result.checks.every(({ ok }) => ok) ? 0 : 1
  } finally {
    process.off('SIGINT', interrupted)
    cleanUp()
  }
}

interface Result {
  readonly records: readonly TurnRecord[]
  readonly checks: readonly Check[]
  /** What the requests were sent with. */
  readonly client: string
}

async function run({ repo, turns }: DemoOptions, folder: string, file: string): Promise<Result> {
  const repository = repo === undefined ? await createRepository(folder) : await cloneRepository(repo, folder)
  const world = new World(repository)
  const countTokens = await loadTokenCounter()
  const provider = await startProvider(world.now, countTokens)
  try {
    const { records, verification } = await play(world, turns, provider, file)
    return { records, checks: checkConversation(records, verification, countTokens), client: provider.client }
  } finally {
    await provider.close()
  }
}

/** Has the conversation, and replays the session that it was kept in. */
async function play(
  world: World,
  turns: number,
  provider: Provider,
  file: string,
): Promise<{ readonly records: readonly TurnRecord[]; readonly verification: Verification }> {
  const sessions = createSessions({
    store: sqliteStore(file),
    format: anthropicFormat,
    context: world.context,
    instructions: INSTRUCTIONS,
    clock: world.now,
    createId: createCounter(),
  })
  try {
    const session = sessions.open(SESSION)
    const ways = [anew(), split(), epochs(session)]
    const records = await converse(world, createScript(world.repository, turns), ways, provider)
    return { records, verification: await session.verify() }
  } finally {
    await sessions.close()
  }
}

/** Ids in place of random ones, so that each run is the same. The nonce is one of them: nobody is there to guess it. */
function createCounter(): () => string {
  let count = 0
  return () => `demo-${String(++count).padStart(6, '0')}`
}

function show(
  { json, repo, turns }: DemoOptions,
  { records, checks, client }: Result,
  file: string,
  output: Output,
): void {
  const report = createReport(records)
  if (json === true) {
    output.write(printableJson(report))
    for (const { text } of checks.filter(({ ok }) => !ok)) output.writeError(`indelible: ${text}\n`)
    output.writeError(printWhereabouts(file, SESSION))
    return
  }
  const paint = createPaint(output.colors)
  output.write(
    [
      printHead(
        { turns, source: repo === undefined ? 'a git repository' : `a clone of ${repo}`, client, report },
        paint,
      ),
      printTurns(records, paint),
      printTotals(report, paint),
      printChecks(checks, paint),
      printWhereabouts(file, SESSION),
    ].join(''),
  )
}
