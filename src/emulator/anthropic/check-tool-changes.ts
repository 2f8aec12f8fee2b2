/**
 * What the Messages API refuses of tools that come and go in mid-conversation: where a directive may stand, which model takes
 * one, and that names mean something. A tool is known once `tools` or an earlier directive defined it, and its name is taken
 * until it is removed.
 */
import { capability, newestRule } from '../../cache/capability.ts'
import { fields, text, type Fields } from '../fields.ts'
import { placedTools, type PlacedMessage } from './blocks.ts'

const directives = new Set<unknown>(['tool_addition', 'tool_removal'])

/** True for a block that makes a tool come or go. */
export function isToolChange(block: Fields): boolean {
  return directives.has(block['type'])
}

/** The first thing that is refused, in the API's words. */
export function checkToolChanges(body: Fields, messages: readonly PlacedMessage[], model: string): string | null {
  const offered = new Map<string, boolean>()
  for (const { block } of placedTools(body)) {
    const name = text(block['name'])
    if (name !== undefined) offered.set(name, true)
  }
  for (const { role, blocks, turnScoped } of messages) {
    for (const placed of blocks) {
      const { block } = placed
      if (!isToolChange(block)) continue
      const type = text(block['type']) ?? ''
      const { path } = placed
      if (role !== 'system' || turnScoped)
        return `${path}: ${type} blocks are only allowed in system messages without clear_at`
      const rule = capability({ model, platform: 'anthropic', feature: 'native-tools', asOf: newestRule })
      if (rule?.supported !== true) return `${path}: ${type} is not supported on this model`
      const refused = change(block, `${path}.${type}.tool`, offered)
      if (refused !== null) return refused
    }
  }
  return null
}

/** Makes one directive's change to what is offered. */
function change(block: Fields, path: string, offered: Map<string, boolean>): string | null {
  const tool = fields(block['tool'])
  const byValue = tool['type'] === 'tool_definition'
  const adds = block['type'] === 'tool_addition'
  if (byValue && !adds) return `${path}.type: Input should be a reference to a tool`
  const name = text(byValue ? fields(tool['definition'])['name'] : tool['name'])
  // Servers and their toolsets go by other names.
  if (name === undefined) return tool['type'] === 'tool_reference' ? `${path}.name: Field required` : null
  if (!byValue && !offered.has(name))
    return `${path}: no tool named '${name}' is defined in tools or in an earlier message`
  if (byValue && offered.get(name) === true) {
    return `${path}: a tool named '${name}' is already defined. Remove it before defining it again.`
  }
  offered.set(name, adds)
  return null
}
