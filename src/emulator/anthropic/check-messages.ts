/** What the Messages API refuses of `messages`: roles, places of system messages, content that is empty or blank. */
import { capability, newestRule } from '../../cache/capability.ts'
import { list, type Fields } from '../fields.ts'
import { isBlank, isThinking, placedSystem, type PlacedMessage } from './blocks.ts'

const roles = ['user', 'assistant', 'system'] as const
const anywhere = 'the directive-only form (content: [] with output_config) is accepted at any position'

/** The first thing that is refused, in the API's words. */
export function checkMessages(body: Fields, messages: readonly PlacedMessage[], model: string): string | null {
  return (
    checkRoles(messages) ?? checkSystemMessages(messages, model) ?? checkContent(messages) ?? checkText(body, messages)
  )
}

function checkRoles(messages: readonly PlacedMessage[]): string | null {
  const [first] = messages
  if (first === undefined) return 'messages: at least one message is required'
  const odd = messages.find(({ role }) => !roles.some((known) => known === role))
  if (odd !== undefined) {
    return `messages.${odd.index}.role: Input should be ${roles.map((role) => `'${role}'`).join(', ')}`
  }
  // What a compaction stands for need not be sent again.
  const opens = first.blocks[0]?.block['type'] === 'compaction'
  if (first.role === 'assistant' && !opens) return 'messages: first message must use the "user" role'
  return null
}

function checkSystemMessages(messages: readonly PlacedMessage[], model: string): string | null {
  // Parameters alone are no message: what stands around them is judged as if they were not there.
  const spoken = messages.filter(({ directive }) => !directive)
  for (const [place, { index, role }] of spoken.entries()) {
    if (role !== 'system') continue
    if (place === 0) {
      return `messages.${index}: use the top-level 'system' parameter for the initial system prompt; ${anywhere}`
    }
    const rule = capability({ model, platform: 'anthropic', feature: 'native-updates', asOf: newestRule })
    if (rule?.supported !== true) return `messages.${index}: role 'system' is not supported on this model`
    // Several in a row are one section, and it is the section that has neighbours.
    const before = spoken.slice(0, place).findLast((message) => message.role !== 'system')
    const after = spoken.slice(place).find((message) => message.role !== 'system')
    if (before !== undefined && before.role !== 'user' && !endsInServerResult(before)) {
      return `messages.${index}: role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result; ${anywhere}`
    }
    if (after !== undefined && after.role !== 'assistant') {
      return `messages.${index}: role 'system' must precede an 'assistant' message or end the array; ${anywhere}`
    }
  }
  return null
}

/** Ends in what a tool of the provider's returned, as `web_search_tool_result`. */
function endsInServerResult({ role, blocks }: PlacedMessage): boolean {
  const type = blocks.at(-1)?.block['type']
  return role === 'assistant' && typeof type === 'string' && type.endsWith('_tool_result')
}

function checkContent(messages: readonly PlacedMessage[]): string | null {
  for (const { index, role, blocks, directive } of messages) {
    const last = blocks.at(-1)
    const isFinalAnswer = role === 'assistant' && index === messages.length - 1
    if (last === undefined || (blocks.length === 1 && last.block['text'] === '')) {
      if (directive || isFinalAnswer) continue
      return `messages.${index}: all messages must have non-empty content except for the optional final assistant message`
    }
    if (role === 'assistant' && isThinking(last.block)) {
      return `messages.${index}: The final block in an assistant message cannot be \`thinking\`.`
    }
  }
  return null
}

function checkText(body: Fields, messages: readonly PlacedMessage[]): string | null {
  for (const { block } of placedSystem(body)) if (isBlank(block)) return blank('system', block)
  const final = messages.at(-1)
  for (const { blocks } of messages)
    for (const { block } of blocks) {
      // An empty answer at the end is one that is to be gone on from.
      if (final?.role === 'assistant' && block === final.blocks[0]?.block && block['text'] === '') continue
      if (isBlank(block)) return blank('messages', block)
      // The content of a tool result may be an empty string, though not hold an empty block.
      const inner = block['type'] === 'tool_result' ? (list(block['content']) as readonly Fields[]) : []
      const empty = inner.find((candidate) => typeof candidate === 'object' && candidate !== null && isBlank(candidate))
      if (empty !== undefined) return blank('messages', empty)
    }
  return null
}

function blank(section: string, { text }: Fields): string {
  return `${section}: text content blocks must ${text === '' ? 'be non-empty' : 'contain non-whitespace text'}`
}
