/** What reading logs throws. */
import { IndelibleError } from '../../base/error.ts'

/** Why a file gave no call. */
export interface TriedFile {
  readonly file: string
  readonly reason: string
}

const mostListed = 10

/** Nothing that was given holds a call to a model that could be read. `tried` has every file. */
export class LogUnreadableError extends IndelibleError {
  readonly tried: readonly TriedFile[]

  constructor(tried: readonly TriedFile[], formats: readonly string[]) {
    super('log_unreadable', messageOf(tried, formats))
    this.tried = tried
  }
}

function messageOf(tried: readonly TriedFile[], formats: readonly string[]): string {
  if (tried.length === 0) return `There is no file to read. Give logs of one of these formats: ${formats.join(', ')}.`
  const listed = tried.slice(0, mostListed).map(({ file, reason }) => `${file}: ${reason}`)
  if (tried.length > mostListed) listed.push(`and ${tried.length - mostListed} more files`)
  return `No call to a model was found. ${listed.join(' ')} Formats that are read: ${formats.join(', ')}.`
}
