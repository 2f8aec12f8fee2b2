/**
 * Tools that came after the list was frozen, as directives of a mid-conversation system message: the definition by value, and
 * before it a removal of the definition whose name it takes. Depends on what was said up to its place and on nothing later.
 *
 * A tool that has no legal place where it came waits for the next one; while it waits, what happens to it is taken into
 * account, so a removed one is not offered and an edited one is defined once.
 */
import type { TextBlockParam } from '@anthropic-ai/sdk/resources/messages'
import type {
  BetaRequestToolAdditionBlock,
  BetaRequestToolRemovalBlock,
} from '@anthropic-ai/sdk/resources/beta/messages/messages'
import type { Tool, ToolChanges } from '../../session/types.ts'
import { toolIds } from '../../session/tools.ts'
import { anthropicFormat } from './format.ts'
import { withoutMark } from './blocks.ts'

const idOf = toolIds(anthropicFormat)

/** The tools of one conversation, as it is gone through. */
export class InlineTools {
  readonly #defined: Set<string>
  readonly #waiting = new Map<string, Tool>()
  readonly #removed = new Set<string>()
  /** Definitions that were taken. */
  taken = 0

  constructor(frozen: readonly Tool[]) {
    this.#defined = new Set(frozen.map(idOf))
  }

  /** Notes what an update did. */
  note({ added, removed, restored }: ToolChanges): void {
    for (const id of removed) this.#removed.add(id)
    for (const id of restored) this.#removed.delete(id)
    for (const tool of added) {
      const id = idOf(tool)
      this.#removed.delete(id)
      // Behind those that wait already, as in a conversation where both had their place.
      this.#waiting.delete(id)
      this.#waiting.set(id, tool)
    }
  }

  /** Nothing waits. */
  get idle(): boolean {
    return this.#waiting.size === 0
  }

  /** Ids of the tools that may be called and are not sent, in the order in which they came: those that could be, or never. */
  waiting(sendable: boolean): readonly string[] {
    return [...this.#waiting].flatMap(([id, tool]) =>
      hasName(tool) === sendable && !this.#removed.has(id) ? [id] : [],
    )
  }

  /** The directives for all that waits and can be sent by value; it waits no longer. */
  take(): TextBlockParam[] {
    const blocks: (BetaRequestToolAdditionBlock | BetaRequestToolRemovalBlock)[] = []
    for (const [id, tool] of this.#waiting) {
      if (this.#removed.has(id) || !hasName(tool)) continue
      if (this.#defined.has(id)) {
        blocks.push({ type: 'tool_removal', tool: { type: 'tool_reference', name: tool.name } })
      }
      blocks.push({ type: 'tool_addition', tool: { type: 'tool_definition', definition: withoutMark(tool) as never } })
      this.#defined.add(id)
      this.#waiting.delete(id)
      this.taken++
    }
    // The SDK has them among its beta types; of the others, a system message holds text only.
    return blocks as unknown as TextBlockParam[]
  }
}

/** A toolset of a server has none, and needs a beta of its own. */
function hasName(tool: Tool): tool is Tool & { readonly name: string; readonly type: string } {
  return typeof tool['name'] === 'string'
}
