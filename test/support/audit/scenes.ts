/** Short ways to the audit of a scene, and what every such audit has to say. */
import { expect } from 'vitest'
import type { AuditReport } from '../../../src/audit/index.ts'
import { conversation, environmentOf, type Environment, type Scene } from './coding-agent.ts'
import { auditOf, type Call, type LogOptions } from './log.ts'
import { expectSound, turnsOf, turnsWith } from './readings.ts'

/** Of a conversation, unless it says otherwise. */
export const TURNS = 8

/** A call a minute. */
export function calls(bodies: readonly object[], over: (index: number) => Partial<Call> = () => ({})): Call[] {
  return bodies.map((body, index) => ({ body, at: index * 60, ...over(index) }))
}

/** Calls in the order in which they were made. */
export function byTime(log: readonly Call[]): Call[] {
  return log.toSorted((one, other) => one.at - other.at)
}

/** The audit of a conversation with a call a minute. */
export async function auditScene(scene: Omit<Scene, 'turns'> & { readonly turns?: number }): Promise<AuditReport> {
  return audited(calls(conversation({ turns: TURNS, ...scene })))
}

/** The audit of a log, which is sound. */
export async function audited(log: readonly Call[], options?: LogOptions): Promise<AuditReport> {
  const report = await auditOf(log, options)
  expectSound(report)
  return report
}

/** A conversation of which only the environment changes. */
export function environment(over: (turn: number) => Partial<Environment>): Scene {
  return { turns: TURNS, environment: (turn) => environmentOf(over(turn)) }
}

/** The numbers from `first` through `last`. */
export function from(first: number, last: number = TURNS - 1): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** In two digits. */
export function pad(number: number): string {
  return String(number).padStart(2, '0')
}

/** The same object with its keys in the opposite order. */
export function turned(object: object): object {
  return Object.fromEntries(Object.entries(object).reverse())
}

/** On these turns all that was cached of the turn before is lost, and the first culprit bears it. */
export function expectRewritten(report: AuditReport, turns: readonly number[]): void {
  for (const turn of turnsOf(report).slice(1)) {
    const isLost = turns.includes(turn.index)
    expect(turn.verdict, `turn ${turn.index}`).toBe(isLost ? 'rewritten' : 'appended')
    expect(turn.lost.tokens > 1000, `turn ${turn.index}`).toBe(isLost)
  }
  const [culprit] = report.culprits
  expect(turnsWith(culprit!)).toEqual(turns)
  expect(culprit?.tokensLost).toBe(report.totals.lost.tokens)
  expect(culprit?.cost).toBeGreaterThan(0)
  expect(culprit?.savesLast?.cost).toBeGreaterThan(0)
}
