/** What a command tells its user in place of a stack trace. */

/** The command cannot do what was asked: a wrong option, a file that cannot be read, a program that is missing. */
export class CommandError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'CommandError'
  }
}
