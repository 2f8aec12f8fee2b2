/** What happens to rendered text before it may enter a conversation. */
import { escapeSystemPromptBoundary } from '../prompt/index.ts'

// Any spelling that a model could take for our tag, opening or closing, whatever its case and white space.
const reminderTag = /<(?=\s*\/?\s*system-reminder)/gi

/**
 * Makes rendered text harmless: it can neither move the boundary between the halves of a system prompt nor pass for an
 * update. Applied to every text of every source once, before it is stored.
 */
export function escapeRendered(text: string): string {
  return escapeSystemPromptBoundary(text).replace(reminderTag, '&lt;')
}
