/** What to do about each kind of culprit and remedy, in one line: which source or option of Indelible, or which habit. */
import type { Culprit, CulpritKind } from '../changes/types.ts'
import type { Remedy } from '../counterfactuals/types.ts'
import { maskKeys } from './keys.ts'

const fixes: Readonly<Record<CulpritKind, string>> = {
  clock: 'Leave the time out of the prompt, or tell it by an update: value() of indelible/sources with a coarse clock.',
  date: 'Make it a source, date() of indelible/sources: the prompt keeps the first day, and midnight is an update.',
  git: 'Make it a source, git() of indelible/sources: branch and status are told by updates.',
  path: 'Make it a source, environment() or value() of indelible/sources; what differs per session belongs behind what does not.',
  id: 'Take it out of the prompt (metadata, headers), or put it behind everything that is shared.',
  counter:
    'Leave it out, or tell it at the end of the conversation: a counter in front rewrites what follows at each step.',
  'remaining-tokens':
    'Tell what is left in the newest message, or leave it to the provider: never in front of the conversation.',
  'rules-text': 'Make the file a source, instructionFiles() of indelible/sources: an edit is told by an update.',
  'tool-reordered':
    'Send tools in one order: createSessions({ tools }) freezes them with the epoch, in the order of their names.',
  'tool-added':
    "Give tools to createSessions({ tools, onToolAdded: 'append' }), or 'hold' where the model takes none in mid-conversation.",
  'tool-removed':
    'Leave the tool in the list and refuse its calls: createSessions({ tools }) does, and tells the model.',
  'tool-edited': 'Keep schemas and descriptions as they were first sent; what changes in them is a source, not a tool.',
  'schema-key-order':
    'Serialise schemas with keys in one order: to createSessions({ tools }), other keys first is no change.',
  'tool-call-ids': 'Replay calls with the ids that the model gave them: store the answer as it came.',
  'argument-order':
    'Replay the arguments of calls as the model wrote them, byte for byte: do not parse and serialise them.',
  'moved-block':
    'Leave a reminder where it was first sent and append the next: a session keeps updates in their places.',
  'pruned-result': 'Prune rarely and much at once, or compact: each pruning sends again all that follows it.',
  'thinking-dropped':
    'Replay thinking blocks with their signatures, as they came, for as long as the conversation goes on.',
  'image-replaced':
    'Send an image in the same bytes each time, or as a file by its id; evict old ones together, by compaction.',
  'breakpoint-wasted':
    'Put the breakpoint behind the last block that comes again unchanged: breakpoints of the adapters stand there.',
  'header-block':
    'Turn the header off on this upstream, or put it behind the system prompt: it is another on each call.',
  parameter: 'Hold it for the whole conversation, or change it where a new epoch begins anyway.',
  unknown:
    'Look at the values: make it a source of its own, whose changes are told by updates, or send it as it was first.',
}

/** What to do about a culprit. */
export function fixFor(kind: CulpritKind): string {
  return fixes[kind]
}

/** What to do about a step of the plan; culprits are named by what they are and where. */
export function fixForRemedy(
  remedy: Remedy,
  culpritOf: (id: string) => Pick<Culprit, 'kind' | 'path'> | undefined,
): string {
  switch (remedy.type) {
    case 'culprits': {
      const names = remedy.ids.map((id) => {
        const culprit = culpritOf(id)
        return culprit === undefined ? id : `${culprit.kind} at ${maskKeys(culprit.path)}`
      })
      return names.length === 1 ? `Fix ${names[0]}.` : `Fix ${listOf(names)} together: one alone saves little.`
    }
    case 'ttl':
      return `Ask for a lifetime of ${remedy.ttl === '1h' ? 'an hour' : remedy.ttl} (ttl: "${remedy.ttl}").`
    case 'breakpoints':
      return 'Place breakpoints behind the tools, the system prompt and the last answered request.'
    case 'keep-alive':
      return `Keep the cache alive through pauses: ${remedy.pings} ${remedy.pings === 1 ? 'ping' : 'pings'}, 30 seconds before it expires.`
  }
}

function listOf(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** What to say of a difference that costs nothing. */
export function noteFor(kind: CulpritKind): string {
  switch (kind) {
    case 'header-block':
      return 'A block in front that is another on each call: reads go on past it, or nothing says that they do not.'
    case 'schema-key-order':
    case 'argument-order':
      return 'Keys in another order: no read was lost by it.'
    default:
      return 'It differs, and by the evidence it costs nothing.'
  }
}
