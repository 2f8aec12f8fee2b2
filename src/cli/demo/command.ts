/** `indelible demo`: sets up the folder, runs the conversation, shows what it came to. */
import { existsSync, rmSync } from 'node:fs'
import { mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { loadTokenCounter } from '../../cache/index.ts'
import type { Verification } from '../../session/index.ts'
import { CommandError } from '../errors.ts'
import { createPaint, type Output } from '../output.ts'
import { printableJson } from '../printable.ts'
import { checkConversation, type Check } from './check.ts'
import { converse, type TurnRecord } from './conversation.ts'
import { printChecks, printHead, printTotals, printTurns, printWhereabouts, type Whereabouts } from './print.ts'
import { providers } from './providers/index.ts'
import type { ProviderName } from './providers/names.ts'
import type { Provider } from './providers/provider.ts'
import { writeLogs } from './logs.ts'
import { createReport, type DemoReport } from './report.ts'
import { cloneRepository, createRepository } from './repository.ts'
import { createScript } from './script.ts'
import type { Service } from './service.ts'
import { World } from './world.ts'

export interface DemoOptions {
  readonly provider: ProviderName
  /** As many as show what the provider's cache does, unless given. */
  readonly turns?: number
  readonly repo?: string
  /** Path of the SQLite file, which must not be there yet. */
  readonly out?: string
  /** Folder for the logs of the requests; a temporary one unless given. */
  readonly logs?: string
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
    const provider = providers[options.provider]
    const result = await run(options, provider, repository, file)
    const logs = options.logs ?? (options.out === undefined ? join(folder, 'logs') : undefined)
    if (logs !== undefined) await writeLogs(logs, result.records, provider)
    leftovers = [options.out === undefined ? repository : folder]
    show(options, provider, result, { file, logs }, output)
    return result.checks.every(({ ok }) => ok) ? 0 : 1
  } finally {
    process.off('SIGINT', interrupted)
    cleanUp()
  }
}

interface Result {
  readonly records: readonly TurnRecord[]
  readonly checks: readonly Check[]
  readonly report: DemoReport
  /** What the requests were sent with; null where they were not sent. */
  readonly client: string | null
}

async function run({ repo, turns }: DemoOptions, provider: Provider, folder: string, file: string): Promise<Result> {
  const repository = repo === undefined ? await createRepository(folder) : await cloneRepository(repo, folder)
  const world = new World(repository)
  const countTokens = await loadTokenCounter()
  const service = await provider.start(world.now, countTokens)
  const { client } = service
  try {
    const { records, verification } = await play(world, turns ?? provider.turns, provider, service, file)
    const checks = checkConversation(records, verification, { ...provider, countTokens, sent: client !== null })
    return { records, checks, report: createReport(records, provider, countTokens), client }
  } finally {
    await service.close()
  }
}

/** Has the conversation, and replays the session that it was kept in. */
async function play(
  world: World,
  turns: number,
  provider: Provider,
  service: Service,
  file: string,
): Promise<{ readonly records: readonly TurnRecord[]; readonly verification: Verification }> {
  const ways = provider.open({ file, session: SESSION, context: world.context, clock: world.now })
  try {
    const script = createScript(world.repository, turns)
    const records = await converse(world, script, ways.all, provider, service)
    return { records, verification: await ways.verify() }
  } finally {
    await ways.close()
  }
}

function show(
  { json, repo }: DemoOptions,
  { caching }: Provider,
  { records, checks, report, client }: Result,
  kept: Whereabouts,
  output: Output,
): void {
  if (json === true) {
    output.write(printableJson(report))
    for (const { text } of checks.filter(({ ok }) => !ok)) output.writeError(`indelible: ${text}\n`)
    output.writeError(printWhereabouts(kept, SESSION))
    return
  }
  const paint = createPaint(output.colors)
  const source = repo === undefined ? 'a git repository' : `a clone of ${repo}`
  output.write(
    [
      printHead({ turns: records.length, source, client, caching, report }, paint),
      printTurns(records, paint),
      printTotals(report, paint),
      printChecks(checks, paint),
      printWhereabouts(kept, SESSION),
    ].join(''),
  )
}
