/** Files that have no requests with their responses, and so nothing that could be played: which they are, and why. */
import { field, has, list } from '../../../src/cache/layout/peek.ts'

/** Why nothing can be played, or undefined for what is none of the known kinds. */
export function reasonWithoutBodies(documents: readonly unknown[]): string | undefined {
  const [first] = documents
  if (has(first, '$schema') && has(first, 'definitions')) return 'a JSON schema, no traffic'
  if (field(first, 'type') === 'session' && documents.some((line) => has(line, 'message')))
    return 'a session of messages with usage, without system prompt, tools and bodies'
  if (documents.some((line) => has(line, 'sessionId') && has(line, 'message')))
    return 'a Claude Code session: messages, no bodies'
  if (has(first, 'messages') && has(first, 'info')) return 'a trajectory of messages, without usage of its calls'
  if (list(first).every((message) => has(message, 'role')) && list(first).length > 0)
    return 'a list of messages, without usage'
  if (has(first, 'messages')) return 'one request body, without a response'
  if (isBodies(first)) return 'request bodies, without responses'
  return undefined
}

function isBodies(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).some((body) => has(body, 'messages'))
}
