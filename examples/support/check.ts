/**
 * The check of the examples: every answered turn reads all that the last answered request sent and that could be read by
 * the provider's rules. What could be read is not taken from what was reported: the bodies that arrived since are played
 * through a simulator that has seen nothing else. Beside it, the bodies themselves are compared, segment by segment.
 */
import type { TurnView } from 'indelible'
import {
  createSimulator,
  layout,
  readUsage,
  type ProviderName,
  type RequestFormat,
  type Segment,
  type Usage,
} from 'indelible/cache'
import { printTable, type Row } from './table.ts'
import { turns } from './world.ts'

/** One request as it arrived. */
export interface Sent {
  readonly model: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly body: object
}

/** Whose rules hold, and what arrived. */
export interface CheckOptions {
  readonly provider: ProviderName
  readonly format: RequestFormat
  /** All requests, oldest first. */
  readonly requests: () => readonly Sent[]
}

/** What a turn says of itself. */
export type CheckedTurn = Pick<TurnView<unknown>, 'update' | 'started'>

/** Holds the turns of a conversation against the rules. */
export interface Check {
  /** The newest request was answered, with this response; it has the usage. */
  answered(turn: CheckedTurn, response: unknown): void
  /** The newest request was given up. */
  interrupted(turn: CheckedTurn): void
  /** Prints the table. Where something does not hold, says what and has the process end with 1. */
  end(): void
}

/** A check of a conversation that has not begun. */
export function createCheck({ provider, format, requests }: CheckOptions): Check {
  const rows: Row[] = []
  const problems: string[] = []
  /** Index of the last answered request; -1 before the first. */
  let last = -1
  let answers = 0

  /** How many tokens of the newest request, which was answered, could be read, and what is wrong with it. */
  function judge(usage: Usage): { readonly readable: number; readonly problem: string | undefined } {
    const sent = requests()
    const now = segmentsOf(sent.at(-1))
    const before = last < 0 ? [] : segmentsOf(sent[last])
    const cache = createSimulator({ provider, format })
    const since = sent.slice(Math.max(last, 0))
    const played = since.map(({ body, model, startedAt }) => cache.send(body, { model, startedAt }))
    const { usage: could, misses } = played.at(-1)!

    const problem = (): string | undefined => {
      const edited = before.find((segment, index) => !isSame(segment, now[index]))
      if (edited !== undefined) return `${edited.path} was answered, and is not sent as it was`
      const missed = misses.find(({ from }) => now.findIndex(({ path }) => path === from) < before.length)
      if (missed !== undefined) return `${missed.from} was answered, and cannot be read: ${missed.reason}`
      // Google leaves the count out where it is 0.
      return (usage.read ?? 0) === could.read ? undefined : `${usage.read} of ${could.read} tokens were read`
    }
    return { readable: could.read, problem: problem() }
  }

  function segmentsOf(request: Sent | undefined): readonly Segment[] {
    if (request === undefined) throw new Error('No request arrived.')
    return layout(request.body, { format, model: request.model }).segments
  }

  return {
    answered(turn, response) {
      const usage = readUsage(response)
      answers += 1
      const { readable, problem } = judge(usage)
      if (problem !== undefined) problems.push(`turn ${answers}: ${problem}`)
      last = requests().length - 1
      rows.push({ turn: answers, sent: usage.total, read: usage.read, readable, changed: changesOf(turn) })
    },
    interrupted(turn) {
      rows.push({ turn: answers + 1, changed: [...changesOf(turn), '(interrupted)'] })
    },
    end() {
      if (answers !== turns) problems.push(`${answers} turns were answered, not ${turns}`)
      if (requests().length !== turns + 1) problems.push('no request was interrupted')
      printTable(rows)
      if (problems.length === 0) {
        process.stdout.write(`ok: ${answers} turns, each of which read all that the last answered request sent\n`)
        return
      }
      process.stderr.write(`not ok: ${problems.join('\n        ')}\n`)
      process.exitCode = 1
    },
  }
}

function isSame(one: Segment, other: Segment | undefined): boolean {
  return (['section', 'role', 'type', 'content'] as const).every((key) => one[key] === other?.[key])
}

function changesOf({ started, update }: CheckedTurn): string[] {
  if (started !== null) return [`(${started} epoch)`]
  return update === null ? [] : update.changes.map(({ key }) => key)
}
