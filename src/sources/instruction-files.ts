/**
 * The instruction files that people keep for agents: `AGENTS.md`, `CLAUDE.md`.
 *
 * All of them are one source, because they are read as one: which apply, in what order, and what each says. An update
 * tells only what changed: the new content of files that were added or edited, and which files no longer apply. With
 * none at all the source is absent.
 *
 * Paths within the project are given from its root, so that a conversation goes on unchanged in another checkout. The
 * content is outside text: a fence that it cannot close stands around it, and the source speaks with `authority:
 * 'user'` unless said otherwise. A link that leads out of the project is not followed, and the model is told so.
 */
import { isAbsolute, normalize, resolve, sep } from 'node:path'
import { absent, defineSource, SourceInvalidError, type Authority, type Context } from '../context/index.ts'
import { fence } from './fence.ts'
import { KEY, readInstructionFiles, type InstructionFile } from './instruction-files-read.ts'
import { literal } from './literal.ts'
import { codecOf, list, object, oneOf, string } from './shape.ts'

export interface InstructionFilesOptions {
  /** The folder that the agent works in. */
  cwd: string
  /** Looked for in each folder from the root to `cwd`; `['AGENTS.md', 'CLAUDE.md']` unless given. */
  names?: readonly string[]
  /** The folder to start from, at or above `cwd`. The nearest with a `.git` unless given, `cwd` where there is none. */
  root?: string
  /** Files that come before the project's and may lie anywhere, as the user's own. None unless given. */
  global?: readonly string[]
  /** How much of one file is read, 64 KiB unless said. */
  maxFileBytes?: number
  /** How much of all files together is read, in their order; 128 KiB unless said. */
  maxTotalBytes?: number
  /** `'user'` unless said. `'system'` gives whoever can write the files the application's own voice. */
  authority?: Authority
}

type InstructionFiles = readonly InstructionFile[]

/**
 * The source `indelible/instruction-files`. Throws {@link SourceInvalidError} for names that lead out of their folder
 * and for limits that are no sizes.
 *
 * @example
 * ```ts
 * import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
 * import { initialize, reconcile } from 'indelible'
 * import { instructionFiles } from 'indelible/sources'
 *
 * mkdirSync('project')
 * writeFileSync('project/AGENTS.md', 'Write tests first.')
 * writeFileSync('project/CLAUDE.md', 'Prefer small commits.')
 * const source = instructionFiles({ cwd: 'project', root: 'project' })
 *
 * const { baseline, snapshot } = await initialize(source)
 * console.log(baseline.includes('Write tests first.')) // => true
 *
 * rmSync('project/CLAUDE.md')
 * const change = await reconcile(source, snapshot)
 * if ('text' in change) console.log(change.text.split('\n')[1]) // => Instruction file "CLAUDE.md" no longer applies.
 * ```
 */
export function instructionFiles({
  cwd,
  names = ['AGENTS.md', 'CLAUDE.md'],
  root,
  global: globalFiles = [],
  maxFileBytes = 64 * 1024,
  maxTotalBytes = 128 * 1024,
  authority = 'user',
}: InstructionFilesOptions): Context {
  checkSize('maxFileBytes', maxFileBytes)
  checkSize('maxTotalBytes', maxTotalBytes)
  const options = {
    cwd: resolve(cwd),
    names: [...new Set(names.map(normalizeName))],
    ...(root !== undefined && { root: resolve(root) }),
    globalFiles: [...globalFiles],
    maxFileBytes,
    maxTotalBytes,
  }
  return defineSource<InstructionFiles>({
    key: KEY,
    codec: codecOf(
      list(
        object<InstructionFile>({
          scope: oneOf('global', 'project'),
          path: string,
          extent: oneOf('whole', 'cut', 'outside'),
          text: string,
        }),
      ),
    ),
    load: async ({ signal }) => {
      const files = await readInstructionFiles(options, signal)
      return files.length === 0 ? absent : files
    },
    baseline: (current) => [INTRODUCTION, ...current.map((file) => describe(file, ''))].join('\n\n'),
    update: describeUpdate,
    removed: (previous) => previous.map(describeRemoval).join('\n'),
    authority,
  })
}

function checkSize(option: string, bytes: number): void {
  if (!Number.isSafeInteger(bytes) || bytes <= 0) {
    throw new SourceInvalidError(
      KEY,
      `instructionFiles() cannot read ${String(bytes)} bytes: give a whole number above 0 as ${option}`,
    )
  }
}

function normalizeName(name: string): string {
  const normal = normalize(name)
  if (normal === '.' || isAbsolute(normal) || normal.split(sep)[0] === '..') {
    throw new SourceInvalidError(
      KEY,
      `instructionFiles() cannot look for ${JSON.stringify(name)} in a folder: name a file, as in 'AGENTS.md'`,
    )
  }
  return normal
}

const INTRODUCTION =
  'Instruction files, from the most general to the most specific; where two disagree, the later one applies. ' +
  'Paths are from the project root.'

function describeUpdate(previous: InstructionFiles, current: InstructionFiles): string {
  const before = new Map(previous.map((file) => [idOf(file), file]))
  const after = new Set(current.map(idOf))
  const texts = current.flatMap((file) => {
    const earlier = before.get(idOf(file))
    if (earlier === undefined) return [describe(file, ' was added')]
    return isSame(earlier, file) ? [] : [describe(file, ' has changed and now reads')]
  })
  const kept = previous.filter((file) => after.has(idOf(file)))
  texts.push(...previous.filter((file) => !after.has(idOf(file))).map(describeRemoval))
  // Which file applies where two disagree is seen from their order, not from the text of one.
  if (current.length > 1 && !isSameOrder(kept, current)) {
    texts.push(`The instruction files are now, in their order: ${current.map(shortNameOf).join(', ')}.`)
  }
  return texts.join('\n\n')
}

function describe(file: InstructionFile, event: string): string {
  if (file.extent === 'outside') {
    return `${nameOf(file)} is a link out of the project root; it was not read and does not apply.`
  }
  const extent = file.extent === 'cut' ? ' (only its start, the rest is left out for its size)' : ''
  return `${nameOf(file)}${event}${extent}:\n${fence(file.text)}`
}

function describeRemoval(file: InstructionFile): string {
  return `${nameOf(file)} no longer applies.`
}

function nameOf({ scope, path }: InstructionFile): string {
  return `${scope === 'global' ? 'Global instruction' : 'Instruction'} file ${literal(path)}`
}

function shortNameOf({ scope, path }: InstructionFile): string {
  return scope === 'global' ? `${literal(path)} (global)` : literal(path)
}

/** The same path may be that of a global file and of one in the project. */
function idOf({ scope, path }: InstructionFile): string {
  return `${scope} ${path}`
}

function isSameOrder(a: InstructionFiles, b: InstructionFiles): boolean {
  const order = b.map(idOf)
  return a.length === b.length && a.every((file, index) => idOf(file) === order[index])
}

function isSame(a: InstructionFile, b: InstructionFile): boolean {
  return a.extent === b.extent && a.text === b.text
}
