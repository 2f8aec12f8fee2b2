/**
 * The whole run: reads a folder with the audit's readers, plays its recordings, sorts the turns, and compares usage,
 * divergences and parents with `usage.csv`.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Audit } from './audited-calls.ts'
import { categoryOf, isHit, type Category } from './categories.ts'
import { compareDivergences, compareParents } from './comparisons.ts'
import { nameOf, readCorpus, type CorpusFile } from './corpus-files.ts'
import { divergenceRules, type DivergenceRule } from './divergence-rules.ts'
import { problemWith, type Exclusion } from './evidence.ts'
import { addSettled, settle, type Exception, type Settled } from './exceptions.ts'
import { outcomeOf, type FileOutcome } from './file-outcomes.ts'
import type { NotALog } from './not-logs.ts'
import { parentRules, type ParentRule } from './parent-rules.ts'
import { replay, type Turn } from './replay.ts'
import { hasNoRow, usageProblems } from './usage-check.ts'
import { readUsageTable, type UsageRow, type UsageTable } from './usage-table.ts'

/** What is checked in beside the run. */
export interface Lists {
  readonly exclusions: readonly Exclusion[]
  readonly divergences: readonly Exception<DivergenceRule>[]
  readonly parents: readonly Exception<ParentRule>[]
  readonly notLogs: readonly NotALog[]
}

/** A turn and where it counts. */
export interface Judged {
  readonly turn: Turn
  readonly category: Category | 'excluded'
  /** Within tolerance of what was reported. */
  readonly hit: boolean
}

/** What came of a folder. */
export interface Result {
  readonly files: readonly FileOutcome[]
  readonly judged: readonly Judged[]
  /** Files with a call that was played. */
  readonly recordings: number
  /** False where the folder has no `usage.csv`: then streams are guessed, and nothing is compared. */
  readonly hasTable: boolean
  readonly divergences: Settled
  readonly parents: Settled
  /** Calls that are not compared, since the table has no row for them. */
  readonly withoutRow: readonly Turn[]
  /** Listed lines that were not looked at, since the folder does not have their recordings. */
  readonly unused: readonly Pick<Exclusion, 'file' | 'call'>[]
  /** Everything that must not be: unreadable files, usage read wrongly, lines of a list that do not hold. */
  readonly problems: readonly string[]
}

/** Reads and plays every file in `folder`. Throws where it cannot be listed or has no call. */
export async function run(folder: string, audit: Audit, lists: Lists): Promise<Result> {
  const corpus = await readCorpus(folder)
  const table = await readTable(folder)
  const files = corpus.map((file) => outcomeOf(file, lists.notLogs))
  const played = corpus.map((file) => play(file, table, audit, lists))
  const divergences = addSettled(played.map((each) => each.divergences))
  const parents = addSettled(played.map((each) => each.parents))
  const judged = played.flatMap((each) => each.judged)
  const names = new Set(corpus.map(({ name }) => nameOf(name)))
  return {
    files,
    judged,
    recordings: played.filter((each) => each.judged.length > 0).length,
    hasTable: table !== undefined,
    divergences,
    parents,
    withoutRow: table === undefined ? [] : judged.map(({ turn }) => turn).filter(hasNoRow),
    unused: [...lists.exclusions, ...lists.divergences, ...lists.parents].filter(({ file }) => !names.has(file)),
    problems: [
      ...files.flatMap(({ file, problem }) => (problem === null ? [] : [`${file} ${problem}`])),
      ...played.flatMap(({ problems }) => problems),
      ...divergences.problems,
      ...parents.problems,
      ...missing(corpus, table),
    ],
  }
}

function missing(corpus: readonly CorpusFile[], table: UsageTable = new Map()): string[] {
  const found = new Set(corpus.map(({ name }) => name))
  return [...table.keys()].filter((file) => !found.has(file)).map((file) => `${file} is in usage.csv and was not found`)
}

interface Played extends Compared {
  readonly judged: readonly Judged[]
  readonly problems: readonly string[]
}

function play(file: CorpusFile, table: UsageTable | undefined, audit: Audit, lists: Lists): Played {
  const rows = table === undefined ? undefined : (table.get(file.name) ?? [])
  const own = <Line extends { readonly file: string }>(lines: readonly Line[]): Line[] =>
    lines.filter((line) => line.file === nameOf(file.name))
  try {
    const { turns, problems } = replay(file, rows, audit)
    const { judged, problems: unproven } = judge(turns, own(lists.exclusions))
    const misread = rows === undefined ? [] : usageProblems(rows, turns)
    return {
      judged,
      ...compare(turns, rows, { divergences: own(lists.divergences), parents: own(lists.parents) }),
      problems: [
        ...[...problems, ...unproven].map((problem) => `${file.name}: ${problem}`),
        ...misread.map((problem) => `${file.name}: reported usage read wrongly: ${problem}`),
      ],
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const nothing = addSettled([])
    const problems = [`${file.name} cannot be played: ${message}`]
    return { judged: [], divergences: nothing, parents: nothing, problems }
  }
}

type Compared = Pick<Result, 'divergences' | 'parents'>

/** Without a table nothing can be compared, and nothing is wrong with the lists. */
function compare(
  turns: readonly Turn[],
  rows: readonly UsageRow[] | undefined,
  { divergences, parents }: Pick<Lists, 'divergences' | 'parents'>,
): Compared {
  if (rows === undefined) return { divergences: addSettled([]), parents: addSettled([]) }
  return {
    divergences: settle('divergence', compareDivergences(turns, rows), divergences, divergenceRules),
    parents: settle('parent', compareParents(turns, rows), parents, parentRules),
  }
}

/** Sorts the turns of one recording; `exclusions` are those of its file. */
export function judge(
  turns: readonly Turn[],
  exclusions: readonly Exclusion[],
): { readonly judged: readonly Judged[]; readonly problems: readonly string[] } {
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

async function readTable(folder: string): Promise<UsageTable | undefined> {
  try {
    return readUsageTable(await readFile(join(folder, 'usage.csv'), 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
