/**
 * The machine that the agent works on, as far as commands depend on it: operating system, processor, shell, folder.
 *
 * Of the environment variables only the name of the shell is used, the last part of `SHELL` or else `ComSpec`. No other
 * variable is read, because they hold secrets.
 */
import { arch, platform, release } from 'node:os'
import { resolve, win32 } from 'node:path'
import { defineSource, type Context } from '../context/index.ts'
import { literal } from './literal.ts'
import { codecOf, nullable, object, string } from './shape.ts'

export interface EnvironmentOptions {
  /** The agent's working directory, the process's own unless given. */
  cwd?: string
}

type Environment = {
  readonly platform: string
  readonly release: string
  readonly architecture: string
  /** `null` when neither variable names one. */
  readonly shell: string | null
  readonly directory: string
}

// In the order of the text.
const LABELS: { readonly [K in keyof Environment]: string } = {
  platform: 'The platform',
  release: 'The operating system release',
  architecture: 'The processor architecture',
  shell: 'The shell',
  directory: 'The working directory',
}
const FIELDS = Object.keys(LABELS) as (keyof Environment)[]

/**
 * The source `indelible/environment`: platform and architecture by the names that Node.js gives them, release, name
 * of the shell, working directory.
 *
 * @example
 * ```ts
 * import { initialize } from 'indelible'
 * import { environment } from 'indelible/sources'
 *
 * const { baseline } = await initialize(environment({ cwd: '/srv/app' }))
 * console.log(baseline.split('\n').at(-1)) // => The working directory is "/srv/app".
 * ```
 */
export function environment({ cwd }: EnvironmentOptions = {}): Context {
  return defineSource<Environment>({
    key: 'indelible/environment',
    codec: codecOf(
      object({ platform: string, release: string, architecture: string, shell: nullable(string), directory: string }),
    ),
    load: () => ({
      platform: platform(),
      release: release(),
      architecture: arch(),
      shell: shellName(),
      directory: cwd === undefined ? process.cwd() : resolve(cwd),
    }),
    baseline: (current) => FIELDS.map((field) => `${LABELS[field]} is ${describe(current[field])}.`).join('\n'),
    update: (previous, current) =>
      FIELDS.filter((field) => current[field] !== previous[field])
        .map((field) => `${LABELS[field]} is now ${describe(current[field])}.`)
        .join('\n'),
    removed: () =>
      'Platform, shell and working directory are no longer tracked; what was given earlier may be out of date.',
  })
}

function describe(value: string | null): string {
  return value === null ? 'not known' : literal(value)
}

function shellName(): string | null {
  // Windows rules split at both kinds of slash.
  const name = win32.basename(process.env['SHELL'] || process.env['ComSpec'] || '')
  return name === '' ? null : name
}
