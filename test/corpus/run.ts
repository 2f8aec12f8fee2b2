/** The whole run: reads a folder, plays its recordings, sorts the turns, checks usage and exclusions. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { categoryOf, isHit, type Category } from './categories.ts'
import { problemWith, type Exclusion } from './evidence.ts'
import { readRecordings, type Recording } from './recordings.ts'
import { replay, type NewSimulator, type Turn } from './replay.ts'
import { usageProblems } from './usage-check.ts'
import { readUsageTable, type UsageTable } from './usage-table.ts'

/** A turn and where it counts. */
export interface Judged {
  readonly turn: Turn
  readonly category: Category | 'excluded'
  /** Within tolerance of what was reported. */
  readonly hit: boolean
}

/** What came of a folder. */
export interface Result {
  readonly judged: readonly Judged[]
  /** Files with nothing to play, and why. */
  readonly withoutBodies: readonly { readonly file: string; readonly reason: string }[]
  readonly recordings: number
  /** False where the folder has no `usage.csv`: then streams are guessed, and usage is checked by nobody. */
  readonly hasTable: boolean
  /** Listed exclusions that were not looked at, since the folder does not have their recordings. */
  readonly unused: readonly Exclusion[]
  /** Everything that must not be: unreadable files, usage read wrongly, exclusions that do not hold. */
  readonly problems: readonly string[]
}

/** Plays every recording in `folder`. Throws where it cannot be listed or has no recordings. */
export async function run(
  folder: string,
  newSimulator: NewSimulator,
  exclusions: readonly Exclusion[],
): Promise<Result> {
  const recordings = await readRecordings(folder)
  if (recordings.length === 0) throw new Error(`${folder} has no recordings (.json, .jsonl, .yaml)`)
  const table = await readTable(folder)
  const played = recordings.map((recording) => play(recording, table, newSimulator, exclusions))
  const files = new Set(recordings.map(({ file }) => nameOf(file)))
  return {
    judged: played.flatMap(({ judged }) => judged),
    withoutBodies: recordings.filter((recording) => recording.type === 'without-bodies'),
    recordings: recordings.filter(({ type }) => type === 'calls').length,
    hasTable: table !== undefined,
    unused: exclusions.filter(({ file }) => !files.has(file)),
    problems: [...played.flatMap(({ problems }) => problems), ...missing(recordings, table)],
  }
}

function missing(recordings: readonly Recording[], table: UsageTable = new Map()): string[] {
  const found = new Set(recordings.map(({ file }) => file))
  return [...table.keys()].filter((file) => !found.has(file)).map((file) => `${file} is in usage.csv and was not found`)
}

interface Played {
  readonly judged: readonly Judged[]
  readonly problems: readonly string[]
}

function play(
  recording: Recording,
  table: UsageTable | undefined,
  newSimulator: NewSimulator,
  exclusions: readonly Exclusion[],
): Played {
  if (recording.type === 'without-bodies') return { judged: [], problems: [] }
  const { file } = recording
  if (recording.type === 'unreadable') return { judged: [], problems: [`${file} cannot be read: ${recording.error}`] }
  const rows = table === undefined ? undefined : (table.get(file) ?? [])
  try {
    const turns = replay(recording.calls, recording.caches, rows, newSimulator)
    const { judged, problems } = judge(
      turns,
      exclusions.filter((each) => each.file === nameOf(file)),
    )
    const misread = rows === undefined ? [] : usageProblems(rows, turns)
    return {
      judged,
      problems: [
        ...problems.map((problem) => `${file}: ${problem}`),
        ...misread.map((problem) => `${file}: reported usage read wrongly: ${problem}`),
      ],
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { judged: [], problems: [`${file} cannot be played: ${message}`] }
  }
}

/** Sorts the turns of one recording; `exclusions` are those of its file. */
export function judge(turns: readonly Turn[], exclusions: readonly Exclusion[]): Played {
  const problems: string[] = []
  const excluded = new Set<number>()
  for (const exclusion of exclusions) {
    const turn = turns.find(({ call }) => call.index === exclusion.call)
    const problem =
      turn !== undefined && categoryOf(turn, turns) !== 'warm'
        ? 'it is not needed: the turn is not warm'
        : problemWith(exclusion, turns)
    if (problem === undefined) excluded.add(exclusion.call)
    else problems.push(`the exclusion of call ${exclusion.call} does not hold: ${problem}`)
  }
  const judged = turns.map((turn) => ({
    turn,
    category: excluded.has(turn.call.index) ? ('excluded' as const) : categoryOf(turn, turns),
    hit: isHit(turn),
  }))
  return { judged, problems }
}

function nameOf(file: string): string {
  return file.replace(/^.*\//, '')
}

async function readTable(folder: string): Promise<UsageTable | undefined> {
  try {
    return readUsageTable(await readFile(join(folder, 'usage.csv'), 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
