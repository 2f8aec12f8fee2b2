/**
 * The tree of a Claude Code session: every line knows the line before it (`parentUuid`), and what was sent for an answer
 * is the way from the answer to the root, turned around.
 *
 * Messages are made once and handed out by reference, so that the requests of a long session share them. Odd cases:
 * - An answer is written as one line per content block, and each result hangs below the block that it answers. The way
 *   to the root then passes one of the blocks only, so all blocks and all results of an answer are put in together.
 * - A line whose parent is not in the file follows the line before it: its parent was broken, or too long.
 * - A compaction that keeps a tail leaves the kept lines where they were written, below the old history. They are moved
 *   below the summary, as the client itself does when it loads the file.
 */
import { list, textOf } from '../../../cache/layout/peek.ts'

/** A message as the Messages API takes it. */
export interface Message {
  readonly role: string
  readonly content: unknown
}

/** One line of the session. */
export interface Entry {
  parent: Entry | undefined
  /** Undefined where the line is no message. */
  message: Message | undefined
  /** Position among the lines of the file. */
  readonly order: number
  readonly time: number | undefined
  /** The answer that the line is a block of, or brings results for. */
  readonly answer: Blocks | undefined
}

/** The lines of one answer, and those that bring the results of its calls. */
export interface Blocks {
  readonly lines: Entry[]
  readonly results: Entry[]
}

/** What was sent for an answer. */
export interface Sent {
  readonly messages: readonly Message[]
  /** When the last of it came to be; undefined where no line says so. */
  readonly time: number | undefined
}

/** A line that is not in the tree yet. */
type NewLine = Pick<Entry, 'parent' | 'message' | 'time'>

/** A tail that a compaction keeps: from the line `head` to the line `tail`, below the line `anchor` from then on. */
interface KeptTail {
  readonly head: string
  readonly tail: string
  readonly anchor: string
}

interface Moved {
  readonly head: Entry
  readonly tail: Entry
}

/** As many as there can be sub-agents at work at a time. */
const mostRecent = 64

/** What stands in place of a result that the client has pruned. */
const pruned = '[Old tool result content cleared]'

/** The lines of one file, as they come. */
export class Conversation {
  readonly #entries = new Map<string, Entry>()
  readonly #calls = new Map<string, Blocks>()
  readonly #moved = new Map<string, Moved>()
  /** What was sent for the newest answers. */
  readonly #recent = new Map<Blocks, Sent>()
  #count = 0

  /** True where the line is in the tree already, because the tool wrote it twice. */
  has(uuid: string): boolean {
    return this.#entries.has(uuid)
  }

  /** The line that `parent` names; `previous` where no such line is known. */
  find(parent: string, previous: Entry | undefined): Entry | undefined {
    return this.#moved.get(parent)?.tail ?? this.#entries.get(parent) ?? previous
  }

  /** True where a user message brings the result of a call. */
  answers(content: unknown): boolean {
    return this.#answerTo(content) !== undefined
  }

  #answerTo(content: unknown): Blocks | undefined {
    for (const block of list(content)) {
      const call = textOf(block, 'tool_use_id')
      if (call !== '') return this.#calls.get(call)
    }
    return undefined
  }

  /** Takes in a line: a block of `answer`, or one that joins the answer whose call it brings the result of. */
  add(uuid: string | undefined, line: NewLine, answer: Blocks | undefined): Entry {
    const answered = answer === undefined ? this.#answerTo(line.message?.content) : undefined
    // Where the history was cut in between, a result stands alone.
    const joins = answered !== undefined && hangsBelow(line.parent, answered) ? answered : undefined
    const entry: Entry = { ...line, order: this.#count++, answer: answer ?? joins }
    joins?.results.push(entry)
    answer?.lines.push(entry)
    if (answer !== undefined) {
      for (const block of list(line.message?.content)) {
        if (textOf(block, 'type') === 'tool_use') this.#calls.set(textOf(block, 'id'), answer)
      }
    }
    if (uuid !== undefined) {
      this.#entries.set(uuid, entry)
      const moved = this.#moved.get(uuid)
      if (moved !== undefined) {
        moved.head.parent = entry
        this.#recent.clear()
      }
    }
    return entry
  }

  /** Moves a kept tail below its anchor, which may be a line that is yet to come. */
  keep({ head, tail, anchor }: KeptTail): void {
    const moved = { head: this.#entries.get(head), tail: this.#entries.get(tail) }
    if (moved.head === undefined || moved.tail === undefined) return
    this.#recent.clear()
    this.#moved.set(anchor, { head: moved.head, tail: moved.tail })
    const found = this.#entries.get(anchor)
    if (found !== undefined) moved.head.parent = found
  }

  /** Replaces the result of a call, for all that is sent from now on. */
  prune(call: unknown): void {
    if (typeof call !== 'string') return
    this.#recent.clear()
    for (const result of this.#calls.get(call)?.results ?? []) {
      const content = list(result.message?.content)
      if (result.message === undefined || !content.some((block) => textOf(block, 'tool_use_id') === call)) continue
      const kept = content.map((block) =>
        textOf(block, 'tool_use_id') === call ? { ...(block as object), content: pruned } : block,
      )
      result.message = { ...result.message, content: kept }
    }
  }

  /**
   * What was sent for an answer whose first block is in. The way back ends at the last answer whose own is remembered:
   * otherwise a session would cost the square of its length.
   */
  sentFor(blocks: Blocks): Sent {
    const first = blocks.lines[0]
    const backwards: Message[] = []
    let time: number | undefined
    let answered = false
    const put = (entry: Entry): void => {
      // What was decided after this answer began was not sent for it.
      if (first === undefined || entry.order >= first.order) return
      answered ||= entry.message?.role === 'assistant'
      if (!answered && entry.time !== undefined) time = Math.max(time ?? entry.time, entry.time)
      if (entry.message !== undefined) backwards.push(entry.message)
    }
    const joined = new Set<Blocks>([blocks])
    let before: Sent | undefined
    let entry = first?.parent
    // Parents are earlier lines, but for a kept tail; a file that names its anchor in a circle ends here.
    for (let steps = 0; entry !== undefined && before === undefined && steps <= this.#count; steps++) {
      const { answer } = entry
      if (answer === undefined) put(entry)
      else if (!joined.has(answer)) {
        joined.add(answer)
        for (const each of answer.results.toReversed()) put(each)
        for (const each of answer.lines.toReversed()) put(each)
        before = this.#recent.get(answer)
      }
      entry = (answer?.lines[0] ?? entry).parent
    }
    const sent = { messages: [...(before?.messages ?? []), ...backwards.reverse()], time: time ?? before?.time }
    this.#remember(blocks, sent)
    return sent
  }

  #remember(blocks: Blocks, sent: Sent): void {
    this.#recent.set(blocks, sent)
    const [oldest] = this.#recent.keys()
    if (this.#recent.size > mostRecent && oldest !== undefined) this.#recent.delete(oldest)
  }
}

/** True where `entry` hangs below the answer, lines that are no messages in between left out. */
function hangsBelow(entry: Entry | undefined, answer: Blocks): boolean {
  let parent = entry
  while (parent !== undefined && parent.message === undefined) parent = parent.parent
  return parent?.answer === answer
}
