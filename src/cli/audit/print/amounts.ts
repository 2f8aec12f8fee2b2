/** Numbers as a person reads them, and texts in the columns that there are for them. */
import { clip } from '../../layout.ts'

export { formatBytes, formatCount, formatShare } from '../../../audit/words/amounts.ts'

/** `text` on one line of `width` columns, of a text of any length. */
export function short(text: string, width: number): string {
  return clip(text.length > width * 20 ? `${text.slice(0, width * 20)}…` : text, width)
}
