/**
 * What it costs to tell a model of a change instead of rewriting what it has read: the text of an update, against the
 * value that was told last. A source words an update as its baseline ("The current date is now ..."), so the words that
 * stand in front of the value are taken; where there are none, those of this package's own sources.
 *
 * Values that only look like information are not told unless asked for: a clock, an id, a counter, what is left of a
 * budget. Orders, parameters and what a client took out of a conversation have nothing to tell at all.
 */
import type { Culprit, CulpritKind } from '../changes/types.ts'

/** Which changes are told: of values that a model may need, or of clocks, ids and counters too. */
export type UpdatePolicy = 'values' | 'all'

const always: ReadonlySet<CulpritKind> = new Set([
  'date',
  'git',
  'path',
  'rules-text',
  'tool-removed',
  'tool-edited',
  'unknown',
])
const whenAsked: ReadonlySet<CulpritKind> = new Set(['clock', 'id', 'counter', 'remaining-tokens', 'header-block'])

/** Whether a change of this kind is told. */
export function isTold(kind: CulpritKind, policy: UpdatePolicy): boolean {
  return always.has(kind) || (policy === 'all' && whenAsked.has(kind))
}

/** What is known of a culprit when its change is told. */
export type Subject = Pick<Culprit, 'kind' | 'path' | 'anchor'>

/** The text of one change; `value` is what it has come to. */
export function tell(culprit: Subject, value: string): string {
  const { kind, path } = culprit
  const lead = leadOf(culprit)
  switch (kind) {
    case 'tool-removed':
      return `The tool ${JSON.stringify(nameIn(path))} is no longer available: calls to it will fail.`
    case 'tool-edited':
      return `The tool ${JSON.stringify(nameIn(path))} is no longer what was defined above: calls made by the definition above will fail.\n${value}`
    case 'rules-text':
      if (!value.includes('\n') && value.length < LINE) break
      return `Instruction file ${JSON.stringify(path)} has changed and now reads:\n\`\`\`\n${value}\n\`\`\``
    default:
  }
  if (lead !== null) return `${lead} now ${value}${isPartial.has(kind) ? restOf(culprit) : ''}.`
  switch (kind) {
    case 'date':
      return `The current date is now ${value}.`
    case 'clock':
      return `The current time is now ${value}.`
    case 'git':
      return value.includes('\n')
        ? `Changed or untracked paths now:\n${value}`
        : `The git work tree is now on branch ${JSON.stringify(value)}.`
    case 'path':
      return `The working directory is now ${JSON.stringify(value)}.`
    default:
      return `The setting ${JSON.stringify(path)} is now ${JSON.stringify(value)}.`
  }
}

/** Fewer UTF-16 units are a value that stands among rules. */
const LINE = 80

/** Kinds of which often only a part of the value changes: the day of a date, a word of a rule. */
const isPartial: ReadonlySet<CulpritKind> = new Set(['date', 'rules-text'])

/** What stands behind a value in its line or sentence. */
function restOf({ anchor }: Subject): string {
  const [rest = ''] = anchor.after.split(/\n|[.!?](?:\s|$)/)
  return rest.trimEnd()
}

/**
 * The words in front of a value, from the start of its line or sentence: a source tells a change in the words of its
 * baseline. Null where these are no words, as inside of JSON.
 */
function leadOf({ anchor }: Subject): string | null {
  const line = anchor.before.split(/\n|[.!?] /).at(-1) ?? ''
  const isCut = line.length === anchor.before.length
  // The anchor may begin inside of a word.
  const lead = (isCut ? line.replace(/^\S*\s/, '') : line).trim()
  return lead === '' || /["{}[\]<>\\]/.test(lead) ? null : lead
}

/** Several changes of one turn are one update. */
export function joinUpdates(texts: readonly string[]): string {
  return texts.join('\n\n')
}

/** An update where an API has no message for it: inside of the tag that marks it as the application's word. */
export function tagUpdate(text: string): string {
  return `<system-reminder id="${NONCE}">\n${text}\n</system-reminder>`
}

/** Stands for the nonce of a session, which is as long. */
const NONCE = '00000000-0000-4000-8000-000000000000'

/** `read_file` of `tools[read_file]`. */
function nameIn(path: string): string {
  return /^tools\[(.*?)\]/s.exec(path)?.[1] ?? path
}
