/**
 * What SQLite's result codes mean to us. `node:sqlite` throws plain errors that carry the extended code in `errcode`; its
 * low byte is the primary code (https://sqlite.org/rescode.html).
 */
import { StoreUnusableError } from '../../session/errors.ts'

const BUSY = 5
const READONLY = 8
const CORRUPT = 11
const CANTOPEN = 14
const CONSTRAINT_PRIMARYKEY = 1555
const CONSTRAINT_UNIQUE = 2067

const advice: ReadonlyMap<number, string> = new Map([
  [BUSY, 'another connection held its lock all the time. Look for a process that leaves a transaction open'],
  [READONLY, 'it cannot be written. Make the file and its folder writable'],
  [10, 'the file system failed. Check the disk'],
  [CORRUPT, 'the file is damaged. Restore it from a backup'],
  [13, 'the disk is full. Nothing was half-written; make room and try again'],
  [CANTOPEN, 'the file cannot be opened. Check that it is a file, and who may read and write it'],
  [26, 'the file is not a SQLite database. Pass the path of another file'],
])

/** True where trying again later can help. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY
}

/** True where a file was wanted that may not be made or written. */
export function isReadOnly(error: unknown): boolean {
  const code = primaryCode(error)
  return code === READONLY || code === CANTOPEN
}

/** True where a row was refused because its key is taken. */
export function isDuplicate(error: unknown): boolean {
  const code = extendedCode(error)
  return code === CONSTRAINT_UNIQUE || code === CONSTRAINT_PRIMARYKEY
}

/** The `StoreUnusableError` for an error of SQLite; any other error as it is. `database` names it in the message. */
export function toStoreError(error: unknown, database: string): unknown {
  const code = isOutOfRange(error) ? CORRUPT : primaryCode(error)
  if (code === undefined) return error
  const problem = advice.get(code) ?? `SQLite says: ${(error as Error).message}`
  return new StoreUnusableError(`${database} is unusable: ${problem}.`, { cause: error })
}

/** `node:sqlite` says so of a whole number beyond what JavaScript counts, which nobody wrote. */
function isOutOfRange(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'
}

function primaryCode(error: unknown): number | undefined {
  const code = extendedCode(error)
  return code === undefined ? undefined : code & 0xff
}

function extendedCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode
}
