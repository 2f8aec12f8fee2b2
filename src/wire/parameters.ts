/** Parameters that a caller may not give, and the order in which the others are sent. */
import type { TurnView } from '../session/types.ts'
import { RequestInvalidError } from './errors.ts'

/** Throws `RequestInvalidError` for parameters that the turn supplies. `fields` are the provider's names for them. */
export function refuseSupplied(params: object, fields: readonly string[]): void {
  const given = params as Readonly<Record<string, unknown>>
  for (const key of fields) {
    if (given[key] !== undefined) {
      throw new RequestInvalidError(
        `The parameters hold ${JSON.stringify(key)}, which the turn supplies. ` +
          'Leave it out: submit what the user says, and put the rest into instructions and sources.',
      )
    }
  }
}

/** Throws `RequestInvalidError` where both the session and the caller have tools. */
export function refuseOtherTools(turn: Pick<TurnView<unknown>, 'session' | 'tools'>, given: unknown): void {
  if (turn.tools === null || given === undefined) return
  throw new RequestInvalidError(
    `The parameters hold tools, and session ${JSON.stringify(turn.session)} has frozen its own. ` +
      'Leave them out of the parameters, or create the sessions without `tools`.',
  )
}

/** Throws `RequestInvalidError` for a turn in which there is nothing to send. */
export function refuseEmpty(session: string): never {
  throw new RequestInvalidError(
    `Session ${JSON.stringify(session)} has nothing to send. Submit an input with some content, then take the turn.`,
  )
}

/** The settings that are given, by name: a request's text must not hang on the order in which a caller wrote them. */
export function orderedSettings(settings: object): Record<string, unknown> {
  const given = settings as Readonly<Record<string, unknown>>
  const ordered: Record<string, unknown> = {}
  for (const key of Object.keys(given).sort()) if (given[key] !== undefined) ordered[key] = given[key]
  return ordered
}

/** Throws `RequestInvalidError` for an option that has none of the values it may have, which only untyped callers can give. */
export function refuseUnknown(options: object, allowed: Readonly<Record<string, readonly unknown[]>>): void {
  const given = options as Readonly<Record<string, unknown>>
  for (const [name, values] of Object.entries(allowed)) {
    if (given[name] === undefined || values.includes(given[name])) continue
    const names = values.map((value) => JSON.stringify(value)).join(', ')
    throw new RequestInvalidError(
      `The option ${name} is ${JSON.stringify(given[name])}. Give one of ${names}, or leave it out.`,
    )
  }
}
