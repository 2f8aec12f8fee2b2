/**
 * A report that was saved as JSON and comes back. Anybody may have written the file, so what comparisons and gates read of
 * it is checked before; the rest is left as it is.
 */
import { IndelibleError } from '../../base/error.ts'
import type { AuditReport } from '../report/types.ts'

/** What a field has to be. */
type Check = (value: unknown) => boolean
type Shape = Check | readonly [Shape] | { readonly [field: string]: Shape } | Nullable

/** Null, or what `of` asks for. */
interface Nullable {
  readonly nullable: true
  readonly of: Shape
}

const text: Check = (value) => typeof value === 'string'
const amount: Check = (value) => typeof value === 'number' && Number.isFinite(value)
const count: Check = (value) => amount(value) && (value as number) >= 0
const orNull = (of: Shape): Nullable => ({ nullable: true, of })

const loss: Shape = { tokens: count, cost: orNull(amount) }
const saving: Shape = { tokens: amount, cost: orNull(amount) }
const played: Shape = { tokens: { total: count, read: count }, cost: orNull(amount) }
const plan: Shape = { asSent: played, floor: played, steps: [{ saves: saving, after: played }] }
const byRulesAlone: Shape = { read: count, lost: [{ reason: text, tokens: count, parameters: [text] }] }

const culprit: Shape = {
  id: text,
  kind: text,
  path: text,
  scope: text,
  offset: orNull(amount),
  tokensLost: count,
  cost: orNull(amount),
  savesAlone: orNull(saving),
  savesLast: orNull(saving),
}

const turn: Shape = {
  index: count,
  parent: orNull(count),
  source: { file: text, line: orNull(count) },
  model: orNull(text),
  verdict: text,
  culprits: [text],
  tokens: { total: orNull(count), read: orNull(count) },
  predicted: orNull({ read: count, write: count, uncached: count, byRulesAlone: orNull(byRulesAlone) }),
  lost: loss,
  cost: orNull({ read: orNull(amount), write: orNull(amount), uncached: orNull(amount), output: orNull(amount) }),
}

const report: Shape = {
  inputs: [{ file: text }],
  totals: { streams: count, hitRate: orNull(count), lost: loss, otherLosses: [loss] },
  byModel: [{ provider: text, model: orNull(text) }],
  streams: [{ id: text, provider: text, turns: [turn], culprits: [culprit], counterfactual: orNull(plan) }],
  culprits: [culprit],
  counterfactual: plan,
}

/**
 * The report that `json` is, a parsed document. Throws an `IndelibleError` (`option_invalid`) that names the first field
 * which is not as it should be; `name` says in it what the document is.
 */
export function readReport(json: unknown, name = 'The report'): AuditReport {
  const schema = fieldOf(json, 'schema')
  if (schema !== 'indelible.audit/1') {
    const found =
      typeof schema === 'string' ? `its schema is ${JSON.stringify(schema.slice(0, 40))}` : 'it has no schema'
    throw new IndelibleError(
      'option_invalid',
      `${name} is no report of an audit: ${found}. Save one with indelible audit LOG --json.`,
    )
  }
  const wrong = findWrong(json, report, '')
  if (wrong === null) return json as AuditReport
  const older = wrong.endsWith('.predicted.byRulesAlone') ? ' It may be of an older release.' : ''
  throw new IndelibleError(
    'option_invalid',
    `${name} cannot be read: ${wrong.slice(1)} is not there, or not what it should be.${older} Save it anew with indelible audit LOG --json.`,
  )
}

/** The path of the first part of `value` that is not as `shape` says; null where all of it is. */
function findWrong(value: unknown, shape: Shape, path: string): string | null {
  if (typeof shape === 'function') return shape(value) ? null : path
  if (isList(shape)) return Array.isArray(value) ? firstOf(value, shape[0], path) : path
  if (isNullable(shape)) return value === null ? null : findWrong(value, shape.of, path)
  if (typeof value !== 'object' || value === null) return path
  for (const [field, of] of Object.entries(shape)) {
    const wrong = findWrong(fieldOf(value, field), of, `${path}.${field}`)
    if (wrong !== null) return wrong
  }
  return null
}

function firstOf(values: readonly unknown[], shape: Shape, path: string): string | null {
  for (const [index, value] of values.entries()) {
    const wrong = findWrong(value, shape, `${path}[${index}]`)
    if (wrong !== null) return wrong
  }
  return null
}

function isList(shape: Exclude<Shape, Check>): shape is readonly [Shape] {
  return Array.isArray(shape)
}

function isNullable(shape: Exclude<Shape, Check | readonly [Shape]>): shape is Nullable {
  return 'nullable' in shape
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}
