/** The `indelible` command for tests: in this process, or in one of its own. */
import { join } from 'node:path'
import { projectRoot } from '../../scripts/imports.ts'
import { main } from '../../src/cli/main.ts'

/** What a run of the command came to. */
export interface CommandResult {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** The file that a process of its own runs. */
export const bin: string = join(projectRoot, 'src/cli/bin.ts')

/** Runs the command in this process, without colours unless asked. */
export async function indelible(args: readonly string[], colors = false): Promise<CommandResult> {
  let out = ''
  let err = ''
  const code = await main(args, {
    colors,
    write: (text) => {
      out += text
    },
    writeError: (text) => {
      err += text
    },
  })
  return { code, out, err }
}
