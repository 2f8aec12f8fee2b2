/** Says what became of the gates, and how the command ends by it. */
import type { AuditReport, GatesResult } from '../../../audit/index.ts'
import { createPaint, type Output } from '../../output.ts'
import { printGates } from './print-gates.ts'

/** 0: all are kept. 1: one is not. 3: too few turns to say. */
export type GatesExitCode = 0 | 1 | 3

const exitCodes: Readonly<Record<GatesResult['outcome'], GatesExitCode>> = {
  passed: 0,
  failed: 1,
  'too-few-turns': 3,
}

/** Writes the result behind the report, or, where that is JSON, to the stream for messages; returns the exit code. */
export function tellGates(result: GatesResult, report: AuditReport, json: boolean, output: Output): GatesExitCode {
  if (json) output.writeError(printGates(result, report, createPaint(false)))
  else output.write(`\n${printGates(result, report, createPaint(output.colors))}`)
  return exitCodes[result.outcome]
}
