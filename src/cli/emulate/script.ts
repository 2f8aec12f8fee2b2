/** Answers for `indelible emulate` from a file. */
import { readFile } from 'node:fs/promises'
import type { Respond } from '../../emulator/index.ts'
import { CommandError } from '../errors.ts'

/** Reads a JSON file with one answer or a list of them. Throws {@link CommandError} where there is none to be read. */
export async function readScript(file: string): Promise<Respond> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    throw new CommandError(`The script ${file} cannot be read: ${(cause as Error).message}.`, { cause })
  }
  try {
    return JSON.parse(text) as Respond
  } catch (cause) {
    throw new CommandError(
      `The script ${file} is not JSON: ${(cause as Error).message}. It holds one answer or a list of them, as [{ "text": "Done." }].`,
      { cause },
    )
  }
}
