/** `indelible/report`: what a session cost, what it saved, and what it left stale. Runs in a browser. */
export { formatReport } from './format-report.ts'
export { report } from './report.ts'
export type { Replayable } from '../session/replay.ts'
export type {
  AnewEstimate,
  CostTotal,
  Expected,
  NoEstimate,
  Played,
  ReportAnomaly,
  ReportedTurn,
  ReportOptions,
  SessionReport,
  Shortfall,
  ShortfallReason,
  SourceNow,
  SourceStaleness,
  Totals,
  TurnReport,
} from './types.ts'
