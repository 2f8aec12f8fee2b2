import { describe, expect, it } from 'vitest'
import { initialize } from './boundary.ts'
import { combine } from './combine.ts'
import { DuplicateSourceError } from './errors.ts'
import { testSource } from './test-source.ts'
import type { Context } from './types.ts'

const setting = (name: string): Context => testSource(name, () => 1)

describe('combine', () => {
  it('keeps the order given, however deep it is nested', async () => {
    const context = combine(setting('c'), combine(setting('a'), combine(setting('d'))), setting('b'))
    expect((await initialize(context)).baseline).toBe('c = 1\n\na = 1\n\nd = 1\n\nb = 1')
  })

  it('makes an empty context of nothing', async () => {
    expect(await initialize(combine())).toEqual({ baseline: '', snapshot: {} })
  })

  it('leaves the contexts that it combines as they were', async () => {
    const a = setting('a')
    combine(a, setting('b'))
    expect((await initialize(a)).baseline).toBe('a = 1')
  })

  it('refuses two sources with one key, and names it', () => {
    const act = (): unknown => combine(setting('a'), combine(setting('b'), setting('a')))
    expect(act).toThrow(DuplicateSourceError)
    expect(act).toThrow(expect.objectContaining({ code: 'source_duplicate', key: 'test/a' }))
    expect(act).toThrow(/Two sources of one context have the key 'test\/a': leave one out/)
  })

  it('refuses the same source twice', () => {
    const a = setting('a')
    expect(() => combine(a, a)).toThrow(DuplicateSourceError)
  })
})
