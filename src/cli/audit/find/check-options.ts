/** Which options go with a path, and which without one: those of one kind that were given to the other are errors, rather than nothing. */
import { CommandError } from '../../errors.ts'

/** Options of an audit without a path alone, and those that it takes besides. */
const own: ReadonlySet<string> = new Set(['since', 'by'])
const shared: ReadonlySet<string> = new Set(['json', 'all', 'provider', 'model', 'prices', 'prefill'])

/** Throws {@link CommandError} for an option, of those that were `given` by their names as properties, that does not go with `paths`. */
export function checkOptions(paths: readonly string[], given: readonly string[]): void {
  for (const name of given) {
    const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    if (paths.length > 0 && own.has(name)) {
      throw new CommandError(
        `${option} is for an audit without a path, of the logs that clients keep: leave the path out.`,
      )
    }
    if (paths.length === 0 && !own.has(name) && !shared.has(name)) {
      throw new CommandError(
        `${option} needs logs to be named: give files, folders, or - for standard input. Without a path only usage is read.`,
      )
    }
  }
}
