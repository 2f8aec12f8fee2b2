/** The state of a git work tree, as told to the model, from the records of `git status --porcelain=v2 --branch -z`. */

export type GitState = {
  /** `null` while no branch is checked out. */
  readonly branch: string | null
  /** The first 12 digits, `null` before the first commit. Git's own abbreviation would grow with the repository. */
  readonly head: string | null
  /** The first of the paths that differ, by path. */
  readonly changes: readonly GitChange[]
  /** How many paths differ. */
  readonly total: number
  /** `false` when there were more than Git's output was read for. */
  readonly complete: boolean
}

export type GitChange = {
  /** The two letters of `git status --short`. */
  readonly code: string
  /** From the top of the work tree; a folder of untracked files ends in a slash. */
  readonly path: string
}

const HEAD_DIGITS = 12

/** Keeps at most `maxPaths` changes and counts all. `undefined` when the records do not name a branch and a commit. */
export function parseGitStatus(records: readonly string[], complete: boolean, maxPaths: number): GitState | undefined {
  const branch = headerOf(records, 'branch.head')
  const commit = headerOf(records, 'branch.oid')
  if (branch === undefined || commit === undefined) return undefined
  const changes = records.flatMap((record) => parseChange(record) ?? []).sort(byPath)
  return {
    branch: branch === '(detached)' ? null : branch,
    head: commit === '(initial)' ? null : commit.slice(0, HEAD_DIGITS),
    changes: changes.slice(0, maxPaths),
    total: changes.length,
    complete,
  }
}

function headerOf(records: readonly string[], name: string): string | undefined {
  const prefix = `# ${name} `
  return records.find((record) => record.startsWith(prefix))?.slice(prefix.length)
}

function parseChange(record: string): GitChange | null {
  switch (record[0]) {
    case '1':
      return { code: codeOf(record), path: fieldsFrom(record, 8) }
    case 'u':
      return { code: codeOf(record), path: fieldsFrom(record, 10) }
    case '?':
      return { code: '??', path: fieldsFrom(record, 1) }
    default:
      return null
  }
}

/** The second field, in which this format writes a dot where the short format has a blank. */
function codeOf(record: string): string {
  return record.slice(2, 4).replaceAll('.', ' ')
}

/** The rest of the record after `count` fields; a path may hold blanks itself. */
function fieldsFrom(record: string, count: number): string {
  return record.split(' ').slice(count).join(' ')
}

// By code unit, so independent of locale and configuration. A path is listed twice when it is deleted in the index and
// there as an untracked file.
function byPath(a: GitChange, b: GitChange): number {
  if (a.path === b.path) return a.code < b.code ? -1 : 1
  return a.path < b.path ? -1 : 1
}
