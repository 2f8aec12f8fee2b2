/** Workers that have loaded and wait, so that a round need not wait for a process to start. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Operation, Report } from '../support/ledger/operations.ts'
import { startProcess } from '../support/start-process.ts'
import type { Assignment } from './assignment.ts'

/** Starts are most of the work of a round: this many keep two cores busy. */
const WAITING = 3

/** When a worker is killed: some milliseconds after it has begun an operation, of one type or of any, for the nth time. */
export interface Moment {
  readonly operation: Operation['type'] | 'any'
  /** 0: when it is let go. */
  readonly count: number
  readonly delayMs: number
}

export class WorkerPool {
  readonly #waiting: Promise<ChildProcess>[] = []

  constructor() {
    while (this.#waiting.length < WAITING) this.#start()
  }

  /** Lets a worker work until that moment, and resolves with its reports when it is dead. */
  async work(assignment: Assignment, until: Moment): Promise<Report[]> {
    const worker = await this.#waiting.shift()!
    this.#start()
    const reports: Report[] = []
    let partial = ''
    let awaited = until.count
    const countDown = (steps: number): void => {
      awaited -= steps
      if (awaited === 0) setTimeout(() => worker.kill('SIGKILL'), until.delayMs)
    }
    worker.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = `${partial}${chunk}`.split('\n')
      partial = lines.pop()!
      for (const line of lines) {
        const report = JSON.parse(line) as Report
        reports.push(report)
        if ('begun' in report && (until.operation === 'any' || until.operation === report.begun.type)) countDown(1)
      }
    })
    worker.send(assignment)
    countDown(0)
    const [code, signal] = (await once(worker, 'close')) as [number | null, NodeJS.Signals | null]
    if (signal !== 'SIGKILL') reports.push({ failed: `it ended by itself (${signal ?? `exit code ${code}`})` })
    return reports
  }

  #start(): void {
    const worker = startProcess(new URL('worker.ts', import.meta.url))
    // Whoever takes the worker sees why it did not start.
    worker.catch(() => {})
    this.#waiting.push(worker)
  }

  /** Kills those that wait. */
  async close(): Promise<void> {
    for (const worker of await Promise.allSettled(this.#waiting)) {
      if (worker.status === 'fulfilled') worker.value.kill('SIGKILL')
    }
  }
}
