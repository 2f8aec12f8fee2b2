/** Where texts of blocks come from. */
import type { Block } from '../record/types.ts'

/** The text of a block; null once it was dropped. */
export type TextOf = (block: Block) => string | null

/** As the recorder keeps it. */
export const recordedText: TextOf = ({ text }) => text
