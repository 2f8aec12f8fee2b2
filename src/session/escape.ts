/** What happens to rendered text before it may enter a conversation. */
import { tagOpening } from '../base/tag-opening.ts'
import { escapeSystemPromptBoundary } from '../prompt/index.ts'

const reminderTag = tagOpening('system-reminder')
const outsideTag = tagOpening('outside-text')

/**
 * Makes rendered text harmless: it can neither move the boundary between the halves of a system prompt nor pass for an
 * update, nor end the tag around outside text or begin one. Applied to every text of every source once, before it is
 * stored, and to names of tools in what is said of them.
 */
export function escapeRendered(text: string): string {
  return escapeSystemPromptBoundary(text).replace(reminderTag, '&lt;').replace(outsideTag, '&lt;')
}
