/**
 * The items of a Codex rollout, and those of them that a call was made with. Items are handed out by reference.
 *
 * Old versions write a call's count of tokens before what it produced, new ones after. So where the newest items are of
 * the model's making they are the answer, and were not sent; where they are not, all were.
 */
import { field, list, textOf } from '../../../cache/layout/peek.ts'
import type { Fields } from '../../../cache/usage/fields.ts'

/** The conversation as it stands. */
export class CodexItems {
  #items: unknown[] = []
  /** Items that a compaction left: whoever made them, the next call was made with them. */
  #given = 0
  #askedAt: number | undefined

  /** When the newest of what there is to answer was written; undefined where no line says so. */
  get askedAt(): number | undefined {
    return this.#askedAt
  }

  add(item: Fields, time: number | undefined): void {
    // A snapshot of the work tree, which is the client's own.
    if (item['type'] === 'ghost_snapshot') return
    this.#items.push(item)
    if (!isAnswer(item)) this.#askedAt = time
  }

  /** Starts again from the list that a compaction made, or from its summary. */
  compact(compacted: Fields, time: number | undefined): void {
    const history = compacted['replacement_history']
    const content = [{ type: 'input_text', text: textOf(compacted, 'message') }]
    // Without the list, old versions keep some of the user's messages before the summary; which, nobody wrote down.
    this.#items = Array.isArray(history) ? [...(history as unknown[])] : [{ type: 'message', role: 'user', content }]
    this.#given = this.#items.length
    this.#askedAt = time
  }

  /** Drops the last turns of the user, and all that followed them. */
  rollBack(turns: number): void {
    let from = this.#items.length
    for (let left = turns; left > 0 && from > 0;) if (isPrompt(this.#items[--from])) left--
    this.#items.length = from
    this.#given = Math.min(this.#given, from)
  }

  /** What a call was made with whose count of tokens comes now. */
  sent(): readonly unknown[] {
    const end = this.#items.findLastIndex((item) => !isAnswer(item)) + 1
    return this.#items.slice(0, Math.max(end, this.#given))
  }
}

/** True for what the model produces: its messages, its reasoning, its calls. */
function isAnswer(item: unknown): boolean {
  const type = textOf(item, 'type')
  if (type === 'message') return textOf(item, 'role') === 'assistant'
  return type === 'reasoning' || type.endsWith('_call')
}

/** What the user wrote, and not what the client says in the user's name. */
function isPrompt(item: unknown): boolean {
  if (textOf(item, 'type') !== 'message' || textOf(item, 'role') !== 'user') return false
  return !/^\s*(?:<[a-z_]+>|# AGENTS\.md)/.test(textOf(list(field(item, 'content'))[0], 'text'))
}
