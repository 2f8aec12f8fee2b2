/** `indelible/audit`: what a cache made of requests, and why. */
export { audit } from './audit.ts'
export type { AuditOptions } from './audit.ts'
export { compareReports } from './compare/compare-reports.ts'
export { readReport } from './compare/saved-report.ts'
export type {
  AuditComparison,
  ComparedCulprit,
  ComparedFigures,
  ComparedLog,
  CulpritLoss,
  LeftCulprit,
} from './compare/types.ts'
export { explain } from './explain/explain.ts'
export type { Divergence } from './explain/first-difference.ts'
export type { Explanation, ExplainOptions, ScopeDifference } from './explain/explain.ts'
export type { Fidelity, FidelityLevel } from './exchange.ts'
export { checkGates } from './gates/check-gates.ts'
export type { GateCheck, GateCulprit, GatedReport, Gates, GatesResult, GateTurn } from './gates/types.ts'
export type { CulpritKind } from './changes/types.ts'
export type { Played, Remedy, Saving } from './counterfactuals/types.ts'
export type { LogFile, Unread } from './read/types.ts'
export type {
  AuditAnomaly,
  AuditCost,
  AuditCounterfactual,
  AuditCulprit,
  AuditDivergence,
  AuditFamily,
  AuditInput,
  AuditNote,
  AuditPrediction,
  AuditReason,
  AuditReport,
  AuditStep,
  AuditStream,
  AuditTokens,
  AuditTotals,
  AuditTurn,
  AuditUnpriced,
  Generator,
  Loss,
  ModelTotals,
  OtherLoss,
  PredictedLoss,
  ReportText,
} from './report/types.ts'
export type { Basis, Confusion, VerdictKind } from './verdicts/types.ts'
