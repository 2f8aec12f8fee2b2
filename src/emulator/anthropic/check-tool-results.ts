/** What the Messages API refuses of tool calls and their results: each call has one result, at the start of the next turn. */
import { text } from '../fields.ts'
import type { PlacedBlock, PlacedMessage } from './blocks.ts'

interface Turn {
  readonly index: number
  readonly role: unknown
  readonly blocks: readonly PlacedBlock[]
}

/** The first thing that is refused, in the API's words. */
export function checkToolResults(messages: readonly PlacedMessage[]): string | null {
  const turns = turnsOf(messages)
  const calls = turns.map(callsOf)
  const seen = new Set<string>()
  for (const [place, turn] of turns.entries()) {
    if (turn.role === 'assistant') {
      const own = calls[place] ?? []
      if (own.length === 0) continue
      if (own.some((id) => seen.has(id)) || new Set(own).size < own.length) {
        return `messages.${turn.index}: \`tool_use\` ids must be unique`
      }
      for (const id of own) seen.add(id)
      const answered = leadingResults(turns[place + 1])
      const open = own.filter((id) => !answered.includes(id))
      if (open.length > 0) {
        return `messages.${turn.index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
      }
    } else {
      const refused = checkResults(turn, calls[place - 1] ?? [])
      if (refused !== null) return refused
    }
  }
  return null
}

/** Neighbours of one role are one turn; messages that only set parameters, or of the system, do not part them. */
function turnsOf(messages: readonly PlacedMessage[]): readonly Turn[] {
  const turns: Turn[] = []
  for (const { index, role, blocks } of messages) {
    if (role === 'system') continue
    const last = turns.at(-1)
    if (last === undefined || last.role !== role) turns.push({ index, role, blocks })
    else turns[turns.length - 1] = { ...last, blocks: [...last.blocks, ...blocks] }
  }
  return turns
}

function callsOf(turn: Turn): readonly string[] {
  if (turn.role !== 'assistant') return []
  const calls: string[] = []
  for (const { block } of turn.blocks) if (block['type'] === 'tool_use') calls.push(text(block['id']) ?? '')
  return calls
}

/** The ids of the results that a turn begins with: a result behind another block is none. */
function leadingResults(turn: Turn | undefined): readonly string[] {
  const blocks = turn?.role === 'user' ? turn.blocks : []
  const end = blocks.findIndex(({ block }) => block['type'] !== 'tool_result')
  return blocks.slice(0, end < 0 ? blocks.length : end).map(({ block }) => text(block['tool_use_id']) ?? '')
}

function checkResults(turn: Turn, calls: readonly string[]): string | null {
  const found = new Set<string>()
  for (const { path, block } of turn.blocks) {
    if (block['type'] !== 'tool_result') continue
    const id = text(block['tool_use_id']) ?? ''
    if (!calls.includes(id)) {
      return `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`
    }
    if (found.has(id)) {
      return `${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`
    }
    found.add(id)
  }
  return null
}
