import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import schema from '../../../schema/indelible.audit-1.schema.json' with { type: 'json' }
import { checkGates } from '../gates/check-gates.ts'
import { culpritOf, reportOf } from '../gates/test-reports.ts'
import { assemble } from './assemble.ts'
import { clockReport, partsOf, reportOptions } from './test-parts.ts'

describe('the JSON Schema', () => {
  type Node = Readonly<Record<string, unknown>>

  /** The schema with all that it does not name forbidden. */
  function closed(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(closed)
    if (typeof node !== 'object' || node === null) return node
    const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]))
    return 'properties' in node ? { ...copy, additionalProperties: false } : copy
  }

  const parse = (node: unknown): z.ZodType => z.fromJSONSchema(node as Parameters<typeof z.fromJSONSchema>[0])
  const strict = parse(closed(schema))
  const report = clockReport()

  it('holds of what is reported, and names every field of it', () => {
    for (const one of [report, clockReport({ includeText: true }), assemble(partsOf([], []), reportOptions)]) {
      expect(strict.safeParse(one).error?.issues).toBeUndefined()
    }
  })

  it('holds of what is reported with gates, and names every field of them', () => {
    const before = reportOf([{}, { lost: { rewritten: 10 } }], [culpritOf('a')])
    const after = reportOf([{}, { lost: { scope: 20 } }, {}], [culpritOf('b'), culpritOf('c', { kind: 'git' })])
    const gates = checkGates(after, { maxRewrittenTokens: 0, minHitRate: 1, baseline: before })
    expect(gates.checks.map(({ passed }) => passed)).toEqual([false, false, false, true])
    expect(strict.safeParse({ ...after, gates }).error?.issues).toBeUndefined()
    expect(strict.safeParse({ ...after, gates: { ...gates, worstTurns: null } }).success).toBe(false)
  })

  it('lets fields be added', () => {
    expect(parse(schema).safeParse({ ...report, later: 1, totals: { ...report.totals, later: 1 } }).success).toBe(true)
    expect(strict.safeParse({ ...report, later: 1 }).success).toBe(false)
  })

  it.each([
    ['another schema', { schema: 'indelible.audit/2' }],
    ['no streams', { streams: undefined }],
    ['a share above 1', { totals: { ...report.totals, hitRate: 1.5 } }],
    ['a range that is no time', { range: { from: 'yesterday', to: null } }],
  ])('fails for %s', (_name, over) => {
    expect(parse(schema).safeParse({ ...report, ...over }).success).toBe(false)
  })

  it('never loses a field: those of the first release are all there, and required', () => {
    const missing: string[] = []
    const visit = (node: Node, path: string): void => {
      const properties = (node['properties'] ?? {}) as Readonly<Record<string, Node>>
      const required = (node['required'] ?? []) as readonly string[]
      const optional = ['remedy.ids', 'remedy.ttl', 'remedy.pings', 'report.gates']
      for (const name of Object.keys(properties)) {
        if (!required.includes(name) && !optional.includes(`${path}.${name}`)) missing.push(`${path}.${name}`)
        visit(properties[name]!, `${path}.${name}`)
      }
    }
    visit(schema, 'report')
    for (const [name, node] of Object.entries(schema.$defs)) visit(node, name)
    expect(missing).toEqual([])
    expect(Object.keys(schema.properties).join(' ')).toBe(
      'schema generator currency range inputs totals byModel streams families culprits counterfactual reproduced anomalies unpriced unread confusion gates',
    )
    expect(Object.keys(schema.$defs.turn.properties).join(' ')).toBe(
      'index requestId responseId source parent startedAt gapSeconds ttlSeconds model verdict reasons confidence providerReason divergence culprits tokens predicted basis reproduced rewrittenTokens lost cost missing',
    )
    expect(Object.keys(schema.$defs.culprit.properties).join(' ')).toBe(
      'id kind path offset anchor scope values occurrences tokensLost cost savesAlone savesLast confidence fix',
    )
  })
})
