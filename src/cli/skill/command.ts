/** `indelible skill`: the instructions for coding agents, printed or installed. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { CommandError } from '../errors.ts'
import type { Output } from '../output.ts'
import { printable } from '../printable.ts'
import { writeSkill } from './write-skill.ts'

export interface SkillOptions {
  /** A folder of skills; printed unless given. */
  readonly out?: string
  /** Writes over a skill that is there. */
  readonly force?: boolean
}

/** Prints or installs them, and returns 0. Throws {@link CommandError} for `force` without `out`. */
export async function runSkill({ out, force = false }: SkillOptions, output: Output): Promise<0> {
  if (force && out === undefined) throw new CommandError('--force says to write over a file: give --out, too.')
  const instructions = await readInstructions()
  if (out === undefined) output.write(instructions)
  else output.write(printable(`Wrote ${await writeSkill(out, instructions, force)}.\n`))
  return 0
}

/** The page of the documentation, which is in the package: the page and the skill cannot differ. */
async function readInstructions(): Promise<string> {
  const packageFolder = join(createRequire(import.meta.url).resolve('indelible/package.json'), '..')
  return readFile(join(packageFolder, 'docs', 'agent-prompt.md'), 'utf8')
}
