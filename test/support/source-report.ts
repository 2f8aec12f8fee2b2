/** Reports with every kind and remedy, and texts to put into them. */
import fc from 'fast-check'
import { culprit, report, shown, stream, turn } from '../../src/cli/audit/print/test-report.ts'
import type { CulpritKind } from '../../src/audit/changes/types.ts'
import type { AuditCulprit, AuditReport, AuditStream } from '../../src/audit/report/types.ts'

/** Every kind; that none is left out, the compiler sees. */
const everyKind: Readonly<Record<CulpritKind, true>> = {
  clock: true,
  date: true,
  git: true,
  path: true,
  id: true,
  counter: true,
  'remaining-tokens': true,
  'rules-text': true,
  'tool-reordered': true,
  'tool-added': true,
  'tool-removed': true,
  'tool-edited': true,
  'schema-key-order': true,
  'tool-call-ids': true,
  'argument-order': true,
  'moved-block': true,
  'pruned-result': true,
  'thinking-dropped': true,
  'image-replaced': true,
  'breakpoint-wasted': true,
  'header-block': true,
  parameter: true,
  unknown: true,
}
export const kinds: readonly CulpritKind[] = Object.keys(everyKind) as CulpritKind[]

/** A culprit of a kind at `system[0]`, with two values that are shown, unless `over` says otherwise. */
export function culpritOf(kind: CulpritKind, over: Partial<AuditCulprit> = {}): AuditCulprit {
  return culprit({ id: `${kind} id`, kind, values: [shown('one'), shown('two')], ...over })
}

/** A report on one conversation; its plan fixes all culprits together, and then does everything else that a plan can. */
export function reportOf(culprits: readonly AuditCulprit[], over: Partial<AuditStream> = {}): AuditReport {
  const { counterfactual, ...rest } = report({ culprits, streams: [stream([turn(0, 'first')], over)] })
  const remedies = [
    { type: 'culprits', ids: culprits.map(({ id }) => id) },
    { type: 'ttl', ttl: '1h' },
    { type: 'breakpoints' },
    { type: 'keep-alive', pings: 2 },
  ] as const
  const saves = { tokens: 1, cost: 1 }
  return {
    ...rest,
    counterfactual: {
      ...counterfactual,
      steps: remedies.map((remedy) => ({ remedy, saves, after: counterfactual.floor, fix: '' })),
    },
  }
}

/** Characters by which a text could leave its literal, or what the literal stands in. */
const telling = fc.constantFrom(
  ...`' " \` \\ */ /* // \${ } </script> </ <!-- --> \ud800 \udc00 \u202e \u3164 \u{e0041} 😀 é \\u0027 x`.split(' '),
  ...Array.from('\n\r\0\u2028\u2029\ufeff '),
)
/** Texts that a log may hold and code must not. */
export const hostile: fc.Arbitrary<string> = fc.oneof(
  fc.array(telling).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
)
