/** Whether the provider changed a prompt on its side: edits, compaction, loops of its own. Its totals are then of another text. */
import { field, list, textOf } from '../layout/peek.ts'

/** Looks at one response, or one event of a streamed one. */
export function isServerEdited(part: unknown): boolean {
  const message = field(part, 'message') ?? field(part, 'response') ?? part
  const usage = field(message, 'usage')
  const server = field(usage, 'server_tool_use')
  const output = [
    ...list(field(message, 'content')),
    ...list(field(message, 'output')),
    field(message, 'content_block'),
  ]
  return (
    list(field(usage, 'iterations')).length > 1 ||
    list(field(field(message, 'context_management'), 'applied_edits')).length > 0 ||
    Number(field(field(message, 'usageMetadata'), 'toolUsePromptTokenCount') ?? 0) > 0 ||
    (typeof server === 'object' && server !== null && Object.values(server).some((count) => Number(count) > 0)) ||
    output.some((block) => textOf(block, 'type') === 'compaction')
  )
}
