/**
 * The instructions for coding agents as a skill: a folder whose name is the skill's, with a `SKILL.md` that begins with name
 * and description, as https://agentskills.io has it. Claude Code looks in `.claude/skills`, Codex in `.agents/skills`.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CommandError } from '../errors.ts'

/** Name of the skill, and of its folder. */
const SKILL_NAME = 'prompt-cache'

/** At most 1,024 characters; agents choose by it. */
const DESCRIPTION =
  'Finds out what breaks the prompt cache of an LLM program, what it costs, and fixes it with a test. Use when prompt ' +
  'caching does not work, when cache hits are low, when the bill for input tokens is high, or when a prompt is built anew ' +
  'for each request.'

/** The text of `SKILL.md`. */
function skillText(instructions: string): string {
  return `---\nname: ${SKILL_NAME}\ndescription: ${JSON.stringify(DESCRIPTION)}\n---\n\n${instructions}`
}

/**
 * Writes the skill into a folder of skills, which is made where it is missing, and returns the path of the file. Throws
 * {@link CommandError} where the file is there already, unless `force`, and where it cannot be written.
 */
export async function writeSkill(folder: string, instructions: string, force: boolean): Promise<string> {
  const file = join(folder, SKILL_NAME, 'SKILL.md')
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, skillText(instructions), { flag: force ? 'w' : 'wx' })
    return file
  } catch (cause) {
    const { code, syscall, message } = cause as NodeJS.ErrnoException
    // Where a part of the folder's path is a file, making the folder fails with the same code.
    const isThere = code === 'EEXIST' && syscall === 'open'
    throw new CommandError(
      isThere
        ? `${file} is there already. Give --force to write over it.`
        : `The skill cannot be written to ${file}: ${message}.`,
      { cause },
    )
  }
}
