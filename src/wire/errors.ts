/** What an adapter throws on purpose. What a provider merely cannot do is a warning in its result, never an error. */
import { IndelibleError } from '../base/error.ts'
import { MessageInvalidError } from '../session/errors.ts'

/** There is no legal request to build from this turn and these parameters. */
export class RequestInvalidError extends IndelibleError {
  constructor(message: string) {
    super('request_invalid', message)
  }
}

/** Throws `MessageInvalidError` for a role that is the session's own to speak in. */
export function refuseSystemRole(role: unknown): void {
  if (role !== 'system' && role !== 'developer') return
  throw new MessageInvalidError(
    `A message of role "${role}" cannot be kept: what the system says comes from instructions and sources. ` +
      'Define a source for it, or send it as a user message.',
  )
}

/** For a message that no format of ours can have let in: `format` is the name of the right one. */
export function foreignRole(role: unknown, format: string): RequestInvalidError {
  return new RequestInvalidError(
    `A message of role ${JSON.stringify(role)} has no place in this request. ` +
      `Create the sessions with ${format}, which refuses it where it comes in.`,
  )
}
