/** What a group of findings is: its kind, how sure that is, whether it counts. */
import type { Evidence } from './evidence.ts'
import { readsGoOn } from './evidence.ts'
import { classify } from './classify/classify.ts'
import type { History } from './classify/history.ts'
import type { Finding } from './finding.ts'
import type { Found, Group } from './group.ts'
import { steadyPath } from './paths.ts'
import type { CulpritKind } from './types.ts'

/** A group with its name. */
export interface Named extends Group {
  readonly kind: CulpritKind
  readonly confidence: number
  readonly counts: boolean
}

/** What stands in a definition by mistake, and is told apart from its text. */
const ofTools: ReadonlySet<CulpritKind> = new Set(['clock', 'date', 'id', 'counter', 'remaining-tokens', 'git'])

/** Names a group; `turns` says in how many turns of a stream something could have changed. */
export function nameGroup(group: Group, turns: (stream: string) => number, evidence: Evidence): Named {
  const { form, section } = (group.found[0] as Found).finding
  if (form.type === 'act') {
    const confidence = group.found.reduce((most, { finding }) => Math.max(most, confidenceOf(finding)), 0)
    return { ...group, kind: form.kind, ...judged(group, form.counting, confidence, evidence) }
  }
  const { kind, confidence } = classify(historyOf(group, turns))
  const isEdit = section === 'tools' && !(ofTools.has(kind) && confidence > 0.7)
  return { ...group, kind: isEdit ? 'tool-edited' : kind, confidence: isEdit ? 0.8 : confidence, counts: true }
}

function confidenceOf({ form }: Finding): number {
  return form.type === 'act' ? form.confidence : 0
}

function judged(
  group: Group,
  counting: string,
  confidence: number,
  evidence: Evidence,
): Pick<Named, 'confidence' | 'counts'> {
  if (counting !== 'when-reads-are-lost') {
    return {
      confidence,
      counts: group.found.some(({ finding: { form } }) => form.type === 'act' && form.counting === 'always'),
    }
  }
  let lost = false
  for (const { finding } of group.found) {
    if (finding.segment === null) continue
    const goesOn = readsGoOn(finding.turn, finding.segment, evidence)
    // One read past it says that it is no obstacle; a read that ends before it may have ended for another reason.
    if (goesOn === true) return { confidence, counts: false }
    if (goesOn === false) lost = true
  }
  return lost ? { confidence, counts: true } : { confidence: 0.3, counts: false }
}

function historyOf({ found }: Group, turns: (stream: string) => number): History {
  const [first] = found as [Found, ...Found[]]
  const { section, form } = first.finding
  const { before, after } = form.type === 'span' ? form.span.root.context : { before: '', after: '' }
  const lines = before.split(/\n|\\n/)
  // Lines of their own are not named by the line in front of them.
  const line = found.every(({ finding }) => startsLine(finding)) ? '' : (lines.pop() ?? '')
  const within = found.filter(({ isBetween }) => !isBetween)
  return {
    transitions: transitionsOf(inStreams(within.length > 0 ? within : found)),
    turns: [...new Set(found.map(({ stream }) => stream))].reduce((sum, stream) => sum + Math.max(1, turns(stream)), 0),
    label: clause(line),
    trailer: after.split(/\n|\\n|[,;|]/)[0] ?? '',
    heading: lines.join('\n'),
    isConversation: section === 'messages' && steadyPath(first.finding.path).includes('[*]'),
    blockLength: form.type === 'span' ? form.blockLength : 0,
  }
}

/** Whether what changed, empty or not, begins with the end of the line before. */
function startsLine({ before, after }: Finding): boolean {
  return [before ?? '', after ?? ''].every((value) => value === '' || value.startsWith('\n'))
}

/** Stream by stream, so that values go on from each other. */
function inStreams(found: readonly Found[]): Finding[] {
  const byStream = new Map<string, Finding[]>()
  for (const { finding, stream } of found) {
    const list = byStream.get(stream)
    if (list === undefined) byStream.set(stream, [finding])
    else list.push(finding)
  }
  return [...byStream.values()].flat()
}

/** Where something is taken out of each message in turn, what was taken out is what changes. */
function transitionsOf(findings: readonly Finding[]): History['transitions'] {
  const wanders =
    findings.length > 1 &&
    findings.every(({ form, isTail }) => isTail && form.type === 'span' && form.operation === 'removed')
  if (!wanders) return findings.map(transitionOf)
  return findings.slice(1).map((finding, index) => {
    const last = findings[index] as Finding
    return {
      ...transitionOf(finding),
      before: last.before ?? '',
      after: finding.before ?? '',
      beforeAt: last.other.exchange.startedAt,
      afterAt: finding.other.exchange.startedAt,
    }
  })
}

function transitionOf({ turn, other, before, after }: Finding): History['transitions'][number] {
  return {
    before: before ?? '',
    after: after ?? '',
    beforeAt: other.exchange.startedAt,
    afterAt: turn.exchange.startedAt,
  }
}

/** The last part of a line that names something. */
function clause(line: string): string {
  const parts = line.split(/(?<=[,;|])/)
  while (parts.length > 1 && !/\p{L}{2}/u.test(parts.at(-1) ?? ''))
    parts[parts.length - 2] = `${parts.at(-2)}${parts.pop()}`
  return parts.at(-1) ?? ''
}
