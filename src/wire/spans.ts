/**
 * Entries between two answers. Every adapter lowers a span by itself, from the span alone and from what is constant within an
 * epoch: so a span that was answered never changes again, and only the last one, which is still open, may be arranged anew.
 */
import { renderSystemForWire } from '../prompt/index.ts'
import type { AdmittedUpdate, Entry, Tool } from '../session/types.ts'
import { tagUpdate } from './update-tag.ts'
import { isBlank } from './text.ts'

/** What came between two answers, each kind in log order, and the answer that ends it. */
export interface Span<M> {
  /** What users and tools said. */
  readonly inputs: readonly M[]
  readonly updates: readonly AdmittedUpdate[]
  /** `undefined` in the last span, which is open. */
  readonly answer: { readonly message: M; readonly epoch: number } | undefined
}

/** The spans of a conversation, oldest first; the last one is open and may be empty. */
export function* spansOf<M>(entries: readonly Entry<M>[], isAnswer: (message: M) => boolean): Generator<Span<M>> {
  let inputs: M[] = []
  let updates: AdmittedUpdate[] = []
  for (const entry of entries) {
    if (entry.type === 'update') {
      updates.push(entry)
    } else if (isAnswer(entry.message)) {
      yield { inputs, updates, answer: { message: entry.message, epoch: entry.epoch } }
      inputs = []
      updates = []
    } else {
      inputs.push(entry.message)
    }
  }
  yield { inputs, updates, answer: undefined }
}

/** What the updates of a span say, ready to be sent, and the tools that they bring. */
export interface SpanUpdates {
  /** Texts that go out with the system's authority, natively. */
  readonly native: readonly string[]
  /** Texts in the session's tag, for the pending user turn. */
  readonly tagged: readonly string[]
  /** How many of the tagged texts have the system's authority. */
  readonly degraded: number
  readonly added: readonly Tool[]
  readonly blank: number
}

/** Splits updates into what is said natively and what in a tag. */
export function lowerUpdates(
  updates: readonly AdmittedUpdate[],
  { native, nonce }: { native: boolean; nonce: string },
): SpanUpdates {
  const own: string[] = []
  const tagged: string[] = []
  const added: Tool[] = []
  let degraded = 0
  let blank = 0
  for (const update of updates) {
    for (const { authority, text: stored } of update.parts) {
      const text = renderSystemForWire(stored)
      if (isBlank(text)) blank++
      else if (native && authority === 'system') own.push(text)
      else {
        tagged.push(tagUpdate(nonce, text))
        if (authority === 'system') degraded++
      }
    }
    if (update.tools !== undefined) added.push(...update.tools.added)
  }
  return { native: own, tagged, degraded, added, blank }
}
