/**
 * Rounds of work by several hosts on a server of their own, a blow at a random moment, and a look at what is left.
 *
 * After the blow each host has to get something done before the round may end: the connections that broke are made anew, by
 * the same objects. Then all come to rest, and what the server holds must be what the hosts were told: nothing that was
 * acknowledged is lost, nothing is torn, and nothing is there that nobody wrote. Half of the hosts see the errors of a server
 * that is down; the others have the store's patience, and mostly see nothing of it.
 */
import type { EventStore } from '../../src/index.ts'
import { Crowd } from '../many/crowd.ts'
import { Ledger } from '../support/ledger/ledger.ts'
import { verifyAll } from '../support/ledger/logs.ts'
import { doneIn, uncertainIn, type Report } from '../support/ledger/operations.ts'
import { PostgresCluster } from '../support/postgres-cluster.ts'
import { Random } from '../support/random.ts'
import { count } from '../support/rounds-command.ts'
import { openStore } from '../support/store-address.ts'
import { Blows, type Blow } from './blows.ts'
import { LogReader } from './log-reader.ts'

export interface ChaosRun {
  readonly rounds: number
  /** Decides the blows and, as far as those allow, what the hosts do. */
  readonly seed: number
  readonly hosts: number
  /** How many sessions go on at any time: a new one begins for each that is finished. */
  readonly sessions: number
  /** Of the server, instead of its own. */
  readonly settings?: Readonly<Record<string, string>>
  /** Whether the folder of the server stays after a violation. */
  readonly keep?: boolean
}

export interface ChaosReport {
  /** Rounds until the end, or until the first violation. */
  readonly rounds: number
  readonly blows: Readonly<Partial<Record<Blow, number>>>
  /** Operations that were acknowledged, by what they were. */
  readonly done: Readonly<Record<string, number>>
  /** Operations that may have happened or not. */
  readonly uncertain: Readonly<Record<string, number>>
  /** How many typed errors hosts were told while the store was unusable. */
  readonly errors: number
  /** Operations that were refused, because others had been faster. */
  readonly refused: number
  readonly sessions: number
  /** What went wrong in the last round: empty when all is well. */
  readonly violations: readonly string[]
  /** Of the server. */
  readonly folder: string
}

const SCHEMA = 'chaos'
const INPUTS = 10
const LANES = 2

/** Every so many rounds all sessions are read and verified again, also those that nobody has touched. */
const FULL_CHECK = 10

/** Runs until the first violation. */
export async function chaos(run: ChaosRun): Promise<ChaosReport> {
  const cluster = await PostgresCluster.start(run.settings)
  let violations: readonly string[] = ['the run was not finished']
  try {
    const report = await new Chaos(cluster, run).run()
    violations = report.violations
    return report
  } finally {
    await cluster.remove({ keepFolder: run.keep === true && violations.length > 0 })
  }
}

class Chaos {
  readonly #cluster: PostgresCluster
  readonly #run: ChaosRun
  readonly #random: Random
  readonly #ledger = new Ledger()
  /** Lives through all blows, like the stores of the hosts. */
  readonly #store: EventStore
  readonly #reader: LogReader
  readonly #counts = {
    blows: {} as Record<string, number>,
    done: {} as Record<string, number>,
    uncertain: {} as Record<string, number>,
    errors: 0,
    refused: 0,
  }
  #live: string[] = []
  #begun = 0

  constructor(cluster: PostgresCluster, run: ChaosRun) {
    this.#cluster = cluster
    this.#run = run
    this.#random = new Random(run.seed)
    this.#store = openStore({ type: 'postgres', connectionString: cluster.connectionString('judge'), schema: SCHEMA })
    this.#reader = new LogReader(this.#store)
  }

  async run(): Promise<ChaosReport> {
    const { hosts, seed, rounds } = this.#run
    const address = (name: string, index: number) => ({
      type: 'postgres' as const,
      connectionString: this.#cluster.connectionString(name),
      schema: SCHEMA,
      impatient: index % 2 === 0,
    })
    const crowd = await Crowd.start({ address, seed, hosts, lanes: LANES, inputs: INPUTS })
    const blows = new Blows(this.#cluster, crowd, this.#random)
    let round = 0
    let violations: string[] = []
    try {
      while (round < rounds && violations.length === 0) {
        round++
        violations = await this.#round(crowd, blows, round).catch((error: unknown) => [String((error as Error).stack)])
      }
      if (violations.length === 0) violations = await this.#end(crowd)
    } finally {
      crowd.killAll()
      await this.#store.close()
    }
    return {
      rounds: round,
      ...this.#counts,
      sessions: this.#begun,
      violations: violations.map((problem) => `round ${round}: ${problem}`),
      folder: this.#cluster.folder,
    }
  }

  async #round(crowd: Crowd, blows: Blows, round: number): Promise<string[]> {
    this.#live = this.#live.filter((session) => !crowd.finished.has(session))
    while (this.#live.length < this.#run.sessions) this.#live.push(`session-${String(++this.#begun).padStart(5, '0')}`)
    crowd.work(this.#live)
    const before = crowd.acknowledged + 10 + this.#random.below(150)
    await crowd.until('get anything done', () => crowd.acknowledged >= before)
    const blow = await blows.strike(this.#live)
    count(this.#counts.blows, blow)
    const then = crowd.done
    await crowd.until(`go on after: ${blow}`, () => crowd.done.every((done, index) => done > then[index]!))
    await crowd.rest()
    await blows.settled()
    return this.#check(crowd.take(), round % FULL_CHECK === 0)
  }

  /** All that was ever acknowledged is there after one more kill, for a store that has never seen it. */
  async #end(crowd: Crowd): Promise<string[]> {
    await crowd.end()
    await this.#cluster.kill('whole')
    await this.#cluster.restart()
    return this.#check([], true)
  }

  async #check(strands: readonly (readonly Report[])[], everything: boolean): Promise<string[]> {
    for (const strand of strands) {
      for (const [operation] of doneIn(strand)) count(this.#counts.done, operation.type)
      for (const operation of uncertainIn(strand)) count(this.#counts.uncertain, operation.type)
      for (const report of strand) {
        if ('unknown' in report) this.#counts.errors++
        if ('refused' in report) this.#counts.refused++
      }
    }
    const { logs, read } = await this.#reader.read(strands, everything)
    return [...this.#ledger.check(strands, logs), ...(await verifyAll(this.#store, read))]
  }
}
