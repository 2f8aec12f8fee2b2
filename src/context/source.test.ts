import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { IndelibleError } from '../base/error.ts'
import { initialize, reconcile } from './boundary.ts'
import { combine } from './combine.ts'
import { SourceInvalidError } from './errors.ts'
import { defineSource } from './source.ts'
import { passThrough, testSource } from './test-source.ts'
import { absent, unavailable } from './types.ts'
import type { Context, SourceDefinition } from './types.ts'

const definition: SourceDefinition<string> = {
  key: 'test/branch',
  codec: passThrough(),
  load: () => 'main',
  baseline: (current) => current,
  update: (_, current) => current,
}

describe('defineSource', () => {
  it.each(['a/b', '0/0', 'acme.app/git', 'a-b_c/d.e-f_g', 'acme/a/b', 'acme/a/', 'a/b//c'])(
    'takes the key %s',
    (key) => {
      expect(() => defineSource({ ...definition, key })).not.toThrow()
    },
  )

  it.each([
    '',
    'branch',
    '/branch',
    'acme/',
    'acme//branch',
    'Acme/branch',
    'acme/Branch',
    'acme /branch',
    'acme/branch\n',
    '-acme/branch',
    'acme/.branch',
    '__proto__',
    'acmé/branch',
  ])('refuses the key %j and says how one looks', (key) => {
    const act = (): unknown => defineSource({ ...definition, key })
    expect(act).toThrow(SourceInvalidError)
    expect(act).toThrow(/write namespace, slash and name, as in 'acme\/branch'/)
    expect(act).toThrow(expect.objectContaining({ code: 'source_invalid', key }))
  })

  it.each<[string, object, RegExp]>([
    ['no codec', { codec: undefined }, /needs a codec/],
    ['half a codec', { codec: { encode: () => null } }, /needs a codec/],
    ['no loader', { load: undefined }, /needs a function 'load'/],
    ['no baseline renderer', { baseline: 'text' }, /needs a function 'baseline'/],
    ['no update renderer', { update: null }, /needs a function 'update'/],
    ['a removal text in place of its renderer', { removed: 'gone' }, /'removed' that is not a function/],
    ['an unknown refresh', { refresh: 'session' }, /'refresh' other than/],
    ['an unknown authority', { authority: 'developer' }, /'authority' other than/],
    ['a required that is no boolean', { required: 'no' }, /'required' that is not a boolean/],
    ['no time', { timeoutMs: 0 }, /'timeoutMs' of 0/],
    ['negative time', { timeoutMs: -1 }, /milliseconds above 0/],
    ['endless time', { timeoutMs: Infinity }, /'timeoutMs' of Infinity/],
    ['time that is no number', { timeoutMs: Number.NaN }, /'timeoutMs' of NaN/],
  ])('refuses %s', (_, part, message) => {
    const act = (): unknown => defineSource({ ...definition, ...part })
    expect(act).toThrow(SourceInvalidError)
    expect(act).toThrow(message)
    expect(act).toThrow(/Source 'test\/branch'/)
  })

  it('throws an IndelibleError', () => {
    try {
      defineSource({ ...definition, key: 'branch' })
      expect.unreachable()
    } catch (error) {
      expect(IndelibleError.isInstance(error, 'source_invalid')).toBe(true)
    }
  })

  it('calls the members of a class instance on that instance', async () => {
    class Branch implements SourceDefinition<string> {
      readonly key = 'test/branch'
      readonly codec = passThrough<string>()
      current = 'main'
      load(): string {
        return this.current
      }
      baseline(current: string): string {
        return this.#tell(current)
      }
      update(_: string, current: string): string {
        return this.#tell(current)
      }
      removed(previous: string): string {
        return `no longer ${this.#tell(previous)}`
      }
      #tell(branch: string): string {
        return `on ${branch}`
      }
    }
    const branch = new Branch()
    const context = defineSource(branch)
    const { baseline, snapshot } = await initialize(context)
    branch.current = 'next'
    expect(baseline).toBe('on main')
    expect(snapshot).toEqual({ 'test/branch': { value: 'main', removed: 'no longer on main' } })
    expect(await reconcile(context, snapshot)).toMatchObject({ type: 'updated', text: 'on next' })
  })

  it('lets a loader yield its value, unavailable or absent, at once or later', () => {
    const yields: SourceDefinition<number>['load'][] = [
      () => 1,
      () => unavailable,
      (): Promise<typeof absent> => Promise.resolve(absent),
      () => (Math.random() > 0.5 ? 1 : unavailable),
      async () => (Math.random() > 0.5 ? 1 : absent),
    ]
    expect(yields.map((load) => testSource('count', load))).toHaveLength(5)
  })
})

describe('the types of a source', () => {
  it('come from its schema', () => {
    defineSource({
      key: 'test/typed',
      codec: z.object({ count: z.number() }),
      load: () => ({ count: 1 }),
      baseline: (current) => {
        expectTypeOf(current).toEqualTypeOf<{ count: number }>()
        return `${current.count}`
      },
      update: (previous, current) => {
        expectTypeOf(previous).toEqualTypeOf<{ count: number }>()
        return `${current.count}`
      },
    })
    expectTypeOf(defineSource(definition)).toEqualTypeOf<Context>()
  })

  it('refuse a schema that turns one type into another', () => {
    const transforming = z.string().transform((text) => text.length)
    // @ts-expect-error the validator returns a number for a string, so what it returned cannot be stored and read again
    const wrong = { ...definition, codec: transforming } satisfies SourceDefinition<number>
    expect(wrong.key).toBe('test/branch')
  })

  it('add up what several sources need of the host', () => {
    const path = testSource<string, { cwd: string }>('path', ({ host }) => host?.cwd ?? absent)
    const user = testSource<string, { user: string }>('user', ({ host }) => host?.user ?? absent)
    const plain = testSource('plain', () => 1)
    expectTypeOf(combine(plain, path)).toEqualTypeOf<Context<{ cwd: string }>>()
    const both = combine<{ cwd: string; user: string }>(path, user, plain)
    // @ts-expect-error a source that needs a host does not fit where none is given
    const nobody: Context = both
    expect(nobody).toBe(both)
  })
})
