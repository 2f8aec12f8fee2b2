/** The ids that a store may be asked to hold. */
import { IdInvalidError } from './errors.ts'

const MAX_ID_LENGTH = 512

// Control characters would let an id lie in a terminal, and NUL is refused by PostgreSQL.
// oxlint-disable-next-line no-control-regex
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/

/** Returns `id`, or throws `IdInvalidError`. `what` names it in the message. */
export function checkId(what: string, id: string): string {
  if (
    typeof id !== 'string' ||
    id.length === 0 ||
    id.length > MAX_ID_LENGTH ||
    controlCharacter.test(id) ||
    !id.isWellFormed()
  ) {
    throw new IdInvalidError(what, id)
  }
  return id
}

/** Returns an id that the host's `createId` made, or throws `IdInvalidError`: a nonce goes into tags as it is. */
export function checkMadeId(id: string): string {
  if (typeof id !== 'string' || !/^[\w-]{1,128}$/.test(id)) throw new IdInvalidError('What createId returns', id)
  return id
}
