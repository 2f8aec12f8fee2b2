/** What two sessions of one kind have in common: all in front of the conversation, and what opens its first message. */
import type { Place, Turn } from '../record/types.ts'
import type { Finding } from './finding.ts'

/** A turn up to its first message; that message only where blocks of a client stand in front of what was asked. */
export function openingOf(turn: Turn): Turn {
  const first = turn.places.findIndex(({ section }) => section === 'messages')
  if (first < 0) return turn
  const end = (turn.places[first] as Place).raw.blocks.length > 1 ? first + 1 : first
  return { ...turn, places: turn.places.slice(0, end) }
}

/** True for what differs between two openings; what was asked differs by nature, and so do parameters. */
export function isOfOpening({ section, form, path, turn }: Finding): boolean {
  if (form.type === 'act' && form.kind === 'parameter') return false
  if (section !== 'messages') return true
  const asked = turn.places.at(-1)?.raw.paths.at(-1) ?? ''
  return form.type === 'span' && form.place !== 'whole' && !path.endsWith(asked)
}
