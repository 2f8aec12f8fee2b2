/**
 * Several hosts, each in a process of its own, on one store. They work, come to rest, and are killed and replaced; what they
 * reported is kept by strand, one for each conversation that a host holds at a time.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { uncertainIn } from '../support/ledger/operations.ts'
import type { Report } from '../support/ledger/operations.ts'
import { startProcess } from '../support/start-process.ts'
import type { StoreAddress } from '../support/store-address.ts'
import type { Assignment, Line, Order } from './protocol.ts'

/** How long hosts may take for what they were told, in milliseconds. For what hangs. */
const PATIENCE_MS = 300_000

export interface CrowdOptions {
  /** Where the store is, for the host of that name, the `index`-th of them. */
  readonly address: (name: string, index: number) => StoreAddress
  readonly seed: number
  readonly hosts: number
  readonly lanes: number
  readonly inputs: number
}

interface Member {
  readonly child: ChildProcess
  readonly assignment: Assignment
  readonly strands: Report[][]
  /** Operations that were acknowledged. */
  done: number
  /** What waits for it in {@link Crowd.rest}. */
  rested: () => void
}

export class Crowd {
  /** Sessions that some host has seen finished. */
  readonly finished: Set<string> = new Set()
  readonly #options: CrowdOptions
  readonly #members: Member[] = []
  /** Reports of hosts that are dead, until they are taken. */
  #left: Report[][] = []
  #started = 0
  #isOver = false

  static async start(options: CrowdOptions): Promise<Crowd> {
    const crowd = new Crowd(options)
    const children = await Promise.all(Array.from({ length: options.hosts }, startHost))
    for (const [index, child] of children.entries()) crowd.#admit(child, index, [])
    return crowd
  }

  private constructor(options: CrowdOptions) {
    this.#options = options
  }

  #admit(child: ChildProcess, index: number, retries: Assignment['retries']): void {
    const { address, seed, hosts, lanes, inputs } = this.#options
    const name = `host-${++this.#started}`
    const assignment = {
      address: address(name, index),
      name,
      seed: seed + this.#started,
      index,
      hosts,
      lanes,
      inputs,
      retries,
    }
    const strands = Array.from({ length: lanes }, (): Report[] => [])
    const member: Member = { child, assignment, strands, done: 0, rested: () => {} }
    this.#members[index] = member
    // Nobody needs to wait for one that is gone.
    child.once('exit', () => member.rested())
    this.#listen(member)
    child.send(assignment)
  }

  #listen(member: Member): void {
    let partial = ''
    member.child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = `${partial}${chunk}`.split('\n')
      // One without its end was cut off by a kill, and is nothing.
      partial = lines.pop()!
      for (const text of lines) {
        const line = JSON.parse(text) as Line
        if ('report' in line) {
          member.strands[line.lane]!.push(line.report)
          if ('done' in line.report) member.done++
        } else if ('finished' in line) this.finished.add(line.finished)
        else member.rested()
      }
    })
  }

  /** The names of the hosts, by index. */
  get names(): string[] {
    return this.#members.map(({ assignment }) => assignment.name)
  }

  /** How many operations each host has done. */
  get done(): number[] {
    return this.#members.map(({ done }) => done)
  }

  /** How many operations all hosts have done. */
  get acknowledged(): number {
    return this.done.reduce((total, done) => total + done, 0)
  }

  /** Lets all hosts converse in these sessions. */
  work(sessions: readonly string[]): void {
    for (const { child } of this.#members) child.send({ order: 'work', sessions } satisfies Order)
  }

  /** Resolves when no operation of any host is under way. */
  async rest(): Promise<void> {
    const rested = this.#members.map(
      (member) =>
        new Promise<void>((resolve) => {
          member.rested = resolve
        }),
    )
    for (const { child } of this.#members) child.send({ order: 'rest' } satisfies Order)
    await within('come to rest', Promise.all(rested))
    this.#checkAlive()
  }

  /** Resolves when the condition holds, which is looked at now and then. Rejects when a host has ended by itself. */
  async until(what: string, condition: () => boolean): Promise<void> {
    const end = performance.now() + PATIENCE_MS
    while (!condition()) {
      this.#checkAlive()
      if (performance.now() > end) {
        throw new Error(`After ${PATIENCE_MS / 1000} s the hosts did not ${what}. They said last: ${this.#lastWords}`)
      }
      await setTimeout(5)
    }
  }

  get #lastWords(): string {
    return this.#members
      .map(({ assignment, strands }) => `${assignment.name} ${JSON.stringify(strands.map((strand) => strand.at(-1)))}`)
      .join('\n')
  }

  #checkAlive(): void {
    for (const { child, strands, assignment } of this.#members) {
      if (child.exitCode === null && child.signalCode === null) continue
      const failure = strands.flat().find((report) => 'failed' in report)
      throw new Error(
        `${assignment.name} ended by itself (${child.signalCode ?? `exit code ${child.exitCode}`}): ${failure?.failed ?? 'it said nothing'}`,
      )
    }
  }

  /** All that was reported since the last time, by strand. Between {@link rest} and {@link work}, no operation is cut in two. */
  take(): Report[][] {
    const strands = [
      ...this.#left,
      ...this.#members.flatMap((member) => member.strands.map((strand) => strand.splice(0))),
    ]
    this.#left = []
    return strands
  }

  /** Kills a host at this very moment, and resolves with its name when it is dead. It stays in its place until it is replaced. */
  async kill(index: number): Promise<string> {
    const { child, assignment } = this.#members[index]!
    const dead = once(child, 'close')
    child.kill('SIGKILL')
    await dead
    return assignment.name
  }

  /** Puts a new host in the place of a dead one; it tries again what nobody knows the end of. */
  async replace(index: number, sessions: readonly string[]): Promise<void> {
    const { strands } = this.#members[index]!
    const retries = strands.flatMap((strand) => uncertainIn(strand.slice(-2)))
    const child = await startHost()
    if (this.#isOver) {
      child.kill('SIGKILL')
      return
    }
    this.#left.push(...strands)
    this.#admit(child, index, retries)
    child.send({ order: 'work', sessions } satisfies Order)
  }

  /** Stops a host in the middle of whatever it does. */
  pause(index: number): void {
    this.#members[index]!.child.kill('SIGSTOP')
  }

  resume(index: number): void {
    this.#members[index]!.child.kill('SIGCONT')
  }

  /** Tells all to end, in good order. */
  async end(): Promise<void> {
    const ended = this.#members.map(({ child }) => once(child, 'exit'))
    for (const { child } of this.#members) child.send({ order: 'end' } satisfies Order)
    await within('end', Promise.all(ended))
    for (const { child, assignment } of this.#members) {
      if (child.exitCode !== 0) throw new Error(`${assignment.name} did not end in good order`)
    }
  }

  /** Kills whoever is left, and whoever is still starting. */
  killAll(): void {
    this.#isOver = true
    for (const { child } of this.#members) child.kill('SIGKILL')
  }
}

function startHost(): Promise<ChildProcess> {
  return startProcess(new URL('host-worker.ts', import.meta.url))
}

async function within(what: string, all: Promise<unknown>): Promise<void> {
  const patience = new AbortController()
  const late = setTimeout(PATIENCE_MS, undefined, { signal: patience.signal }).then(
    () => Promise.reject(new Error(`After ${PATIENCE_MS / 1000} s the hosts did not ${what}`)),
    () => {},
  )
  try {
    await Promise.race([all, late])
  } finally {
    patience.abort()
  }
}
