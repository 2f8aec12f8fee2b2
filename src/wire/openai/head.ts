/** What stands before the conversation: instructions, baseline, and the line that explains the tag of updates. */
import type { TurnView } from '../../session/types.ts'
import { renderedTexts } from '../text.ts'
import { explainUpdateTag } from '../update-tag.ts'

/** The system's texts of a turn; `undefined` where one is blank. */
export interface Head {
  readonly instructions: string | undefined
  readonly baseline: string | undefined
  readonly explanation: string
}

export function headOf(turn: Pick<TurnView<unknown>, 'instructions' | 'baseline' | 'nonce'>): Head {
  const [instructions, baseline] = renderedTexts([turn.instructions, turn.baseline])
  return { instructions, baseline, explanation: explainUpdateTag(turn.nonce) }
}

/** The text of one leading message. */
interface LeadingText {
  readonly text: string
  readonly marked: boolean
}

/**
 * The leading messages of a request. Where a model's template may take one only, they are one text with a blank line between
 * its parts: a string, because not every such server takes a list.
 */
export function leadingTexts(
  { instructions, baseline, explanation }: Head,
  marks: { readonly instructions: boolean; readonly baseline: boolean },
  several: boolean,
): readonly LeadingText[] {
  const leading: LeadingText[] = []
  if (instructions !== undefined) leading.push({ text: instructions, marked: marks.instructions })
  if (baseline !== undefined) leading.push({ text: baseline, marked: marks.baseline })
  leading.push({ text: explanation, marked: false })
  if (several) return leading
  return [{ text: leading.map(({ text }) => text).join('\n\n'), marked: false }]
}
