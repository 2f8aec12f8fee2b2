/** What happens to a server and to those who use it. */
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { Crowd } from '../many/crowd.ts'
import type { PostgresCluster } from '../support/postgres-cluster.ts'
import type { Random } from '../support/random.ts'

const blows = [
  'server killed',
  'server killed as a whole',
  'server process killed',
  'host killed',
  'host and server killed',
  'host paused',
] as const

/** In the words of the report. */
export type Blow = (typeof blows)[number]

/** What a host that is paused misses, in operations of the others. */
const PAUSE = 100

/** How long connections of the dead may stay open, in milliseconds. */
const PATIENCE_MS = 300_000

export class Blows {
  readonly #cluster: PostgresCluster
  readonly #crowd: Crowd
  readonly #random: Random
  /** Hosts that were killed since all was settled. */
  #dead: string[] = []

  constructor(cluster: PostgresCluster, crowd: Crowd, random: Random) {
    this.#cluster = cluster
    this.#crowd = crowd
    this.#random = random
  }

  /** Resolves when whoever was killed has been started again. `sessions` are what a new host converses in. */
  async strike(sessions: readonly string[]): Promise<Blow> {
    const blow = this.#random.pick(blows)
    const host = this.#random.below(this.#crowd.names.length)
    await setTimeout(this.#random.next() * 20)
    switch (blow) {
      case 'server killed':
        await this.#killServer('first')
        break
      case 'server killed as a whole':
        await this.#killServer('whole')
        break
      case 'server process killed':
        this.#cluster.killBackend((pids) => this.#random.pick(pids))
        break
      case 'host killed':
        await this.#killHost(host, sessions)
        break
      case 'host and server killed':
        await Promise.all([this.#killHost(host, sessions), this.#killServer('whole')])
        break
      case 'host paused':
        await this.#pauseHost(host)
        break
    }
    return blow
  }

  async #killServer(what: 'first' | 'whole'): Promise<void> {
    const downMs = this.#random.chance(0.5) ? 0 : this.#random.next() * 300
    await this.#cluster.kill(what)
    await setTimeout(downMs)
    await this.#cluster.restart()
  }

  async #killHost(index: number, sessions: readonly string[]): Promise<void> {
    this.#dead.push(await this.#crowd.kill(index))
    await this.#crowd.replace(index, sessions)
  }

  async #pauseHost(index: number): Promise<void> {
    this.#crowd.pause(index)
    const others = this.#crowd.acknowledged + PAUSE
    await this.#crowd.until('go on beside one that is paused', () => this.#crowd.acknowledged >= others)
    this.#crowd.resume(index)
  }

  /**
   * Resolves when the server does nothing any more for those who are dead: what they had sent it may still finish, and what is
   * there is looked at only then.
   */
  async settled(): Promise<void> {
    await this.#cluster.ready()
    const client = new pg.Client({ connectionString: this.#cluster.connectionString('judge') })
    await client.connect()
    try {
      const until = performance.now() + PATIENCE_MS
      for (;;) {
        const { rowCount } = await client.query('select from pg_stat_activity where application_name = any($1)', [
          this.#dead,
        ])
        if (rowCount === 0) break
        if (performance.now() > until) throw new Error(`The connections of ${this.#dead.join(', ')} are still open`)
        await setTimeout(10)
      }
    } finally {
      await client.end()
    }
    this.#dead = []
  }
}
