/** What happened to the conversation: edits, removals and insertions that their form explains. */
import type { Block } from '../../record/types.ts'
import { isCallOrResult, isMedia, isResult, isThinking, jsonOf, member } from '../calls.ts'
import type { Act } from '../finding.ts'
import { skeleton } from '../skeleton.ts'
import { isSameInOtherOrder } from './tools.ts'

const act = { type: 'act', counting: 'always', key: '' } as const

/** Calls under other ids than before. */
export const callIdsAct: Act = { ...act, kind: 'tool-call-ids', confidence: 0.95 }

/** One content, but a message begins or ends there that did not before: merged or split messages. */
export const boundaryAct: Act = { ...act, kind: 'unknown', key: 'boundary', confidence: 0.3 }

const thinkingDropped: Act = { ...act, kind: 'thinking-dropped', confidence: 0.9 }
/** A picture under other bytes, or something else in its place. */
export const imageReplaced: Act = { ...act, kind: 'image-replaced', confidence: 0.9 }
const prunedResult: Act = { ...act, kind: 'pruned-result', confidence: 0.9 }
const argumentOrder: Act = { ...act, kind: 'argument-order', confidence: 0.9, counting: 'when-reads-are-lost' }

const placeholder =
  /(?:\b(?:old|older|previous|earlier|stale)\b.*\b(?:result|output|content|message|image)|\b(?:result|output|content|message|image|file)s?\b.*)\b(?:clear|remov|prun|trunc|omit|elid|hidden|compact|evict|delet|trimm|dropp|expired|replac)/i

/** What an edited block of the conversation is as a whole; null where its stretches have to be looked at. */
export function editAct(one: Block, other: Block, first: string, second: string): Act | null {
  if (isMedia(one)) return imageReplaced
  if (!isText(one) && hasImage(first) && !hasImage(second)) return imageReplaced
  if (isThinking(one)) return isThinkingLost(first, second) ? thinkingDropped : null
  if (isCallOrResult(one)) {
    if (isUnsigned(first, second)) return thinkingDropped
    if (isSameInOtherOrder(first, second)) return argumentOrder
    if (isResult(one) && isPruned(first, second)) return prunedResult
  }
  if (other.length < one.length / 3 && one.length >= 200 && placeholder.test(second))
    return { ...prunedResult, confidence: 0.7 }
  return null
}

/** A removed block of the conversation. `again` is true where one like it stands further on. */
export function removedAct(block: Block, text: string | null, again: boolean): Act {
  if (isThinking(block)) return thinkingDropped
  if (isMedia(block)) return imageReplaced
  if (isCallOrResult(block)) return prunedResult
  if (again) return movedAct(text)
  return { ...prunedResult, confidence: 0.5 }
}

/** A block of a message of which nothing is left. */
export function goneAct(again: boolean, text: string | null): Act {
  return again ? movedAct(text) : { ...prunedResult, confidence: 0.8 }
}

/** An inserted block of the conversation. `before` is true where one like it stood before. */
export function insertedAct(block: Block, text: string | null, before: boolean): Act {
  if (isThinking(block)) return { ...thinkingDropped, confidence: 0.6 }
  if (isMedia(block)) return { ...imageReplaced, confidence: 0.5 }
  if (before) return movedAct(text)
  return textAct(text, isCallOrResult(block) ? 'unknown' : 'rules-text')
}

/** A block that stands elsewhere than before. */
export function movedAct(text: string | null): Act {
  return { ...act, kind: 'moved-block', key: skeleton(text ?? ''), confidence: 0.85 }
}

/** A block of text that came or went, known by how it begins. */
export function textAct(text: string | null, kind: 'rules-text' | 'unknown'): Act {
  return { ...act, kind, key: `block ${skeleton(text ?? '')}`, confidence: kind === 'unknown' ? 0.3 : 0.5 }
}

function isText({ type }: Block): boolean {
  return type === 'text'
}

function hasImage(text: string): boolean {
  return /"type":"(?:image|input_image|image_url|document|input_file)"|"image":\{|"inlineData":\{/.test(text)
}

/** The signature is gone, or all of the thought. */
function isThinkingLost(first: string, second: string): boolean {
  const [one, other] = [jsonOf(first), jsonOf(second)]
  if (isSigned(one) && !isSigned(other)) return true
  return second.length < first.length / 3
}

function isSigned(value: unknown): boolean {
  return hasText(member(value, 'signature')) || hasText(member(value, 'thoughtSignature'))
}

/** A call that lost the thought behind it, and nothing else. */
function isUnsigned(first: string, second: string): boolean {
  if (!first.includes('"thoughtSignature"') || second.includes('"thoughtSignature"')) return false
  const { thoughtSignature, ...rest } = (jsonOf(first) ?? {}) as Readonly<Record<string, unknown>>
  return hasText(thoughtSignature) && isSameInOtherOrder(JSON.stringify(rest), second)
}

function hasText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** Shorter by far, or a placeholder in its place. */
function isPruned(first: string, second: string): boolean {
  if (second.length < first.length * 0.6 && first.length - second.length > 40) return true
  return placeholder.test(second) && !placeholder.test(first)
}
