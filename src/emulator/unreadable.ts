/** Which failures are the body's own. */
import { RequestUnreadableError } from '../cache/layout/errors.ts'

/** Why a body cannot be read. Throws what has another cause. */
export function whyUnreadable(error: unknown): string {
  if (error instanceof RequestUnreadableError) return error.message
  // The reader follows blocks inside of blocks; a parsed body may be deeper than any stack.
  if (error instanceof RangeError) return 'The request body is nested too deeply.'
  throw error
}
