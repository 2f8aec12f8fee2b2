/**
 * What a message must be to be taken in: one that its format can read, today and whenever the log is folded again. A message
 * that only looked like one would be found at the next boundary, when it can no longer be taken back.
 */
import { IndelibleError } from '../base/error.ts'
import { MessageInvalidError } from './errors.ts'
import type { Format } from './types.ts'

/** Throws `MessageInvalidError` for the first message that the format cannot read, or what the format throws on purpose. */
export function checkMessages<M>(format: Format<M>, messages: readonly M[]): void {
  for (const message of messages) {
    const ids = reading(format, () => {
      format.kind(message)
      format.identity(message)
      return [...format.openCalls([message]), ...(format.results?.(message) ?? [])]
    })
    if (ids.every((id) => typeof id === 'string')) continue
    throw new MessageInvalidError(
      `A message of the ${format.id} format has a tool call, or the result of one, whose id is no string. ` +
        'Pass the message as the provider or its SDK gave it.',
    )
  }
}

/** What `read` makes of messages with a format. Throws `MessageInvalidError` where it fails, or what it throws on purpose. */
export function reading<T>(format: { readonly id: string }, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (IndelibleError.isInstance(cause)) throw cause
    throw new MessageInvalidError(
      `A message has not the shape of the ${format.id} format: ${String(cause)}. ` +
        'Pass messages as the provider or its SDK gave them, or the format of your messages.',
      { cause },
    )
  }
}
