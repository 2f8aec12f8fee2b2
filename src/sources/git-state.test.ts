import { describe, expect, it } from 'vitest'
import { parseGitStatus } from './git-state.ts'

const COMMIT = '0123456789abcdef0123456789abcdef01234567'
const HEADERS = [`# branch.oid ${COMMIT}`, '# branch.head main']
const ID = 'a'.repeat(40)

const changed = (code: string, path: string): string => `1 ${code} N... 100644 100644 100644 ${ID} ${ID} ${path}`

describe('parseGitStatus', () => {
  it('reads branch and commit, and passes over other headers', () => {
    const records = [...HEADERS, '# branch.upstream origin/main', '# branch.ab +1 -0', '# stash 2']
    expect(parseGitStatus(records, true, 20)).toEqual({
      branch: 'main',
      head: '0123456789ab',
      changes: [],
      total: 0,
      complete: true,
    })
  })

  it('shortens commits of SHA-256 repositories alike', () => {
    const state = parseGitStatus([`# branch.oid ${'f'.repeat(64)}`, '# branch.head main'], true, 20)
    expect(state?.head).toBe('f'.repeat(12))
  })

  it.each([
    [changed('.M', 'a file.ts'), { code: ' M', path: 'a file.ts' }],
    [changed('A.', 'new.ts'), { code: 'A ', path: 'new.ts' }],
    [changed('.M', ' leading  and trailing '), { code: ' M', path: ' leading  and trailing ' }],
    [`u UU N... 100644 100644 100644 100644 ${ID} ${ID} ${ID} both sides.ts`, { code: 'UU', path: 'both sides.ts' }],
    ['? notes/', { code: '??', path: 'notes/' }],
    ['? # branch.head fake', { code: '??', path: '# branch.head fake' }],
  ])('reads the record %j', (record, expected) => {
    expect(parseGitStatus([...HEADERS, record], true, 20)).toMatchObject({
      branch: 'main',
      changes: [expected],
      total: 1,
    })
  })

  it('sorts by path, whatever the kind of change', () => {
    const records = [changed('.M', 'b'), changed('D.', 'c'), '? B', '? c', '? é', '? a']
    const paths = (state: ReturnType<typeof parseGitStatus>): string[] | undefined =>
      state?.changes.map(({ code, path }) => `${code} ${path}`)
    const expected = ['?? B', '?? a', ' M b', '?? c', 'D  c', '?? é']
    expect(paths(parseGitStatus([...HEADERS, ...records], true, 20))).toEqual(expected)
    expect(paths(parseGitStatus([...HEADERS, ...records.toReversed()], true, 20))).toEqual(expected)
  })

  it('keeps the first paths and counts all', () => {
    const records = Array.from({ length: 100 }, (_, index) => `? ${String(99 - index).padStart(2, '0')}`)
    expect(parseGitStatus([...HEADERS, ...records], true, 2)).toMatchObject({
      changes: [{ path: '00' }, { path: '01' }],
      total: 100,
    })
  })

  it('makes nothing of records that do not say where HEAD is', () => {
    expect(parseGitStatus([], true, 20)).toBeUndefined()
    expect(parseGitStatus(['# branch.head main', '? a'], true, 20)).toBeUndefined()
  })
})
