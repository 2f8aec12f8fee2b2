/**
 * Rounds of work, a kill at a random moment, and a look at what is left.
 *
 * All rounds but every tenth go on with the same database. The others kill a worker that makes a database. In half of the
 * rounds the database is open here too, so that the worker has a neighbour, who goes on with the live log after its death;
 * in the others the next opening has to recover the log from nothing but the files.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { EventStore } from '../../src/index.ts'
import { sqliteStore } from '../../src/store/sqlite/index.ts'
import { Ledger } from '../support/ledger/ledger.ts'
import { readLogs, verifyAll } from '../support/ledger/logs.ts'
import { doneIn, interruptedIn } from '../support/ledger/operations.ts'
import type { Operation, Report } from '../support/ledger/operations.ts'
import { Random } from '../support/random.ts'
import { count } from '../support/rounds-command.ts'
import type { Assignment } from './assignment.ts'
import { WorkerPool, type Moment } from './worker-pool.ts'

export interface CrashRun {
  readonly rounds: number
  /** Decides the moments of the kills and, as far as those allow, what the workers do. */
  readonly seed: number
  /** An empty folder, for the databases. */
  readonly folder: string
}

export interface CrashReport {
  /** Rounds until the end, or until the first violation. */
  readonly rounds: number
  /** How many kills hit which operation; `'none'` between two of them. */
  readonly kills: Readonly<Record<string, number>>
  /** Operations that were done, by what they were. */
  readonly done: Readonly<Record<string, number>>
  /** What went wrong in the last round: empty when all is well. */
  readonly violations: readonly string[]
}

/** Runs until the first violation. The databases stay in the folder, after a violation as they were found. */
export async function crash({ rounds, seed, folder }: CrashRun): Promise<CrashReport> {
  const random = new Random(seed)
  const kills: Record<string, number> = {}
  const done: Record<string, number> = {}
  const pool = new WorkerPool()
  const main = new CrashDatabase(join(folder, 'main.db'))
  try {
    for (let round = 1; round <= rounds; round++) {
      const isNew = round % 10 === 0
      const database = isNew ? new CrashDatabase(join(folder, `new-${round}.db`)) : main
      const moment = momentOf(random, isNew)
      // Only the last connection that closes has the log to write into the file.
      if (moment.operation === 'close' || random.chance(0.5)) await database.close()
      const assignment = { name: `round-${round}`, seed: random.below(2 ** 31), ...database.situation }
      const reports = await pool.work(assignment, moment)
      count(kills, interruptedIn(reports)?.type ?? 'none')
      for (const [operation] of doneIn(reports)) count(done, operation.type)
      const violations = await database.check(reports)
      if (violations.length > 0) {
        return { rounds: round, kills, done, violations: violations.map((problem) => `round ${round}: ${problem}`) }
      }
      if (isNew) await database.close()
    }
    await main.close()
    return { rounds, kills, done, violations: [] }
  } finally {
    await pool.close()
  }
}

/**
 * Half of the kills come some milliseconds after a worker was let go, where a slow machine is still opening the database.
 * The others come some operations later, however fast the machine is; a third of those during one that writes much at
 * once, which otherwise would hardly be hit.
 */
function momentOf(random: Random, isNew: boolean): Moment {
  if (isNew) return { operation: 'any', count: 0, delayMs: random.next() * 40 }
  if (random.chance(0.5)) return { operation: 'any', count: 0, delayMs: random.next() * 150 }
  if (random.chance(0.33)) {
    return { operation: random.pick(['close', 'fork', 'delete']), count: 1, delayMs: random.next() * 8 }
  }
  return { operation: 'any', count: 1 + random.below(40), delayMs: random.next() * 5 }
}

/** One database file, and what it owes. */
class CrashDatabase {
  readonly #path: string
  readonly #ledger = new Ledger()
  #interrupted: Operation | null = null
  #store: EventStore | null = null

  constructor(path: string) {
    this.#path = path
  }

  /** What the next worker has to know. */
  get situation(): Omit<Assignment, 'name' | 'seed'> {
    return { path: this.#path, sessions: this.#ledger.sessions, retry: this.#interrupted }
  }

  /** Opens the database, and says what is wrong with it. */
  async check(reports: readonly Report[]): Promise<string[]> {
    this.#interrupted = interruptedIn(reports)
    try {
      this.#store ??= sqliteStore(this.#path)
      const logs = await readLogs(this.#store)
      return [
        ...this.#ledger.check([reports], logs),
        ...(await verifyAll(this.#store, logs.keys())),
        ...checkFile(this.#path),
      ]
    } catch (error) {
      return [`cannot be read: ${String((error as Error).stack)}`]
    }
  }

  async close(): Promise<void> {
    await this.#store?.close()
    this.#store = null
  }
}

/** What SQLite itself finds: rows that an index does not know, damaged pages. */
function checkFile(path: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database
      .prepare('pragma integrity_check')
      .all()
      .map((row) => String(row['integrity_check']))
      .filter((finding) => finding !== 'ok')
  } finally {
    database.close()
  }
}
