/**
 * What errors of `pg` and of PostgreSQL mean to us. Those of the server carry a SQLSTATE of five letters in `code`
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html), those of the network a name of Node's.
 */
import { IndelibleError } from '../../base/error.ts'
import { StoreUnusableError } from '../../session/errors.ts'

const UNIQUE_VIOLATION = '23505'
/** Whoever is told one of these has written nothing, and may try again at once. */
const conflicts = new Set(['40001', '40P01'])
/** A pooler hands out connections that do not know what was prepared on another. */
const unprepared = new Set(['26000', '42P05'])
/** The server goes down, comes up, or has no connection to spare. */
const unreachable = /^(?:08...|57P0[1-3]|53300)$/
const network = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  'ENOENT',
])
/** `pg` throws these without a code. */
const lostConnection =
  /^(?:Connection terminated|Client has encountered a connection error|timeout expired|timeout exceeded)/

const advice: ReadonlyMap<string, string> = new Map([
  ['0A000', 'it does not know what Indelible needs. Use PostgreSQL 11 or newer'],
  ['22021', 'a text is not valid in its encoding. Use a database with the encoding UTF8'],
  ['22P05', 'its encoding cannot hold a text. Use a database with the encoding UTF8'],
  ['25006', 'it can only be read: a standby, perhaps. Connect to the primary'],
  ['28000', 'the user may not log in. Check the connection string and pg_hba.conf'],
  ['28P01', 'the password is wrong. Check the connection string'],
  ['3D000', 'there is no such database. Make it first (createdb)'],
  ['42501', 'the user lacks a permission. Grant it, or let another user open the store once to make the tables'],
  ['53100', 'its disk is full. Nothing was half-written; make room and try again'],
  ['53200', 'it has no memory left. Nothing was half-written'],
  ['53300', 'it has no connection to spare. Use a smaller pool, or a pooler'],
  ['55P03', 'another session held a lock for longer than lock_timeout. Nothing was written; try again'],
  ['57014', 'the statement was cancelled: by statement_timeout, perhaps. Nothing was written; try again'],
  ['57P01', 'it was shut down'],
  ['57P03', 'it is starting up or shutting down'],
  ['ECONNREFUSED', 'nothing listens there. Check that it runs, and the connection string'],
  ['ENOENT', 'there is no such socket. Check that it runs, and the connection string'],
  ['ENOTFOUND', 'there is no such host. Check the connection string'],
])

/** True where a row was refused because its key is taken. */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === UNIQUE_VIOLATION
}

/** True where nothing was written, and the same again can succeed at once. */
export function isConflict(error: unknown): boolean {
  return conflicts.has(codeOf(error) ?? '')
}

/** True where the connection does not know a prepared statement, or has another of that name. */
export function isUnprepared(error: unknown): boolean {
  return unprepared.has(codeOf(error) ?? '')
}

/** True where there is no connection, or no longer one, and another may be had later. */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error)
  if (code !== undefined) return unreachable.test(code) || network.has(code)
  return error instanceof Error && lostConnection.test(error.message)
}

/** The `StoreUnusableError` for an error; one of ours as it is. `database` names it in the message. */
export function toStoreError(error: unknown, database: string): unknown {
  if (IndelibleError.isInstance(error) || !(error instanceof Error)) return error
  const problem = advice.get(codeOf(error) ?? '') ?? `it says: ${messageOf(error)}`
  return new StoreUnusableError(`${database} is unusable: ${problem}.`, { cause: error })
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return innerCode(error)
  return typeof error.code === 'string' ? error.code : undefined
}

/** A host with several addresses fails once for each of them. */
function innerCode(error: unknown): string | undefined {
  return error instanceof AggregateError ? codeOf(error.errors[0]) : undefined
}

function messageOf(error: Error): string {
  return (error.message || String(codeOf(error))).replace(/\.$/, '')
}
