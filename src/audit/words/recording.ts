/**
 * What to record next time: only where something was really missing in this run, with what it would give. A log that has
 * all that its verdicts needed has nothing to add, whatever its format could have besides.
 */
import type { AuditInput, AuditReport, AuditTurn } from '../report/types.ts'
import { formatCount, formatNumber } from './amounts.ts'

/** One remark for each thing that is missing, then one for each way to record more. */
export function recordingRemarks({ streams, inputs }: AuditReport): string[] {
  const missing = new Set(streams.flatMap((stream) => stream.missing))
  const turnsIn = Map.groupBy(
    streams.flatMap(({ turns }) => turns),
    ({ source }) => source.file,
  )
  const hinted = Map.groupBy(
    inputs.filter(({ hint, exchanges }) => hint !== null && exchanges > 0),
    ({ format, hint }) => `(${format ?? 'unknown'})\n${hint}`,
  )
  const hints = [...hinted].flatMap(([key, found]) => {
    const gain = gainOf(
      found,
      found.flatMap(({ file }) => turnsIn.get(file) ?? []),
    )
    const [format, hint] = key.split('\n', 2)
    return gain === null ? [] : [`To record more ${format}, ${gain}: ${hint}`]
  })
  return [...missing, ...hints]
}

/** What more of such a log would give; null where nothing was missing. */
function gainOf(inputs: readonly AuditInput[], turns: readonly AuditTurn[]): string | null {
  const has = (level: string): boolean => inputs.some(({ fidelity }) => fidelity?.level === level)
  const unknown = turns.filter(({ verdict }) => verdict === 'unknown').length
  const unsure = turns.filter(({ missing }) => missing.length > 0).length
  const gains = [
    ...(has('usage') ? ['for culprits and what fixing them saves'] : []),
    ...(has('prompt') ? ['for breakpoints and parameters as they were sent'] : []),
    ...(unknown > 0 ? [`for the cause of ${unknown === 1 ? 'a loss' : `${formatNumber(unknown)} losses`}`] : []),
    ...(unknown === 0 && unsure > 0 ? [`for surer verdicts on ${formatCount(unsure, 'turn')}`] : []),
  ]
  return gains.length === 0 ? null : gains.join(' and ')
}
