/**
 * Tool calls and their results, message by message: a provider refuses a request in which a result answers no call that is
 * open where it stands, or answers one twice.
 */
import type { Format } from './types.ts'

/** The calls that are open after `messages`, which follow `unsettled`. `refuse` throws for a result that answers none. */
export function callsLeftOpen<M>(
  format: Format<M>,
  unsettled: readonly M[],
  messages: readonly M[],
  refuse: (open: readonly string[]) => never,
): readonly string[] {
  let since = [...unsettled]
  let open = format.openCalls(since)
  for (const message of messages) {
    since.push(message)
    const next = format.openCalls(since)
    if (format.kind(message) === 'tool-result' && !answersOnly(format.results?.(message), open, next)) refuse(open)
    open = next
    // Looked at once, or importing a long conversation would take quadratic time.
    if (open.length === 0) since = []
  }
  return open
}

/** True when each result answers a call of its own among those that were open. */
function answersOnly(
  results: readonly string[] | undefined,
  open: readonly string[],
  next: readonly string[],
): boolean {
  if (results === undefined) return next.length < open.length
  return new Set(results).size === results.length && results.every((id) => open.includes(id))
}
