import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Json } from '../base/json.ts'
import {
  absent,
  initialize,
  reconcile,
  SourceInvalidError,
  unavailable,
  type EpochStart,
  type Observed,
} from '../context/index.ts'
import { value } from './value.ts'

describe('value', () => {
  it.each<[Json, string]>([
    ['dark', 'The setting "acme/theme" is "dark".'],
    [null, 'The setting "acme/theme" is null.'],
    [false, 'The setting "acme/theme" is false.'],
    [1e21, 'The setting "acme/theme" is 1e+21.'],
    [{ b: [1, 2], a: {} }, 'The setting "acme/theme" is {"a":{},"b":[1,2]}.'],
    ['two\nlines\u202e', String.raw`The setting "acme/theme" is "two\nlines\u202e".`],
  ])('tells %j', async (setting, expected) => {
    expect((await initialize(value('acme/theme', () => setting))).baseline).toBe(expected)
  })

  it('tells a change, a removal and a return', async () => {
    let setting: Observed<string> = 'plan'
    const source = value('acme/mode', () => Promise.resolve(setting), { label: 'The mode' })
    let { snapshot }: Pick<EpochStart, 'snapshot'> = await initialize(source)
    const texts: string[] = []
    for (setting of ['build', unavailable, absent, 'plan'] as const) {
      const change = await reconcile(source, snapshot)
      if (change.type !== 'updated') continue
      snapshot = change.snapshot
      texts.push(change.text)
    }
    expect(texts).toEqual(['The mode is now "build".', 'The mode is no longer set.', 'The mode is "plan".'])
  })

  it('tells nothing when only the order of keys differs', async () => {
    let setting: Json = { a: 1, b: 2 }
    const source = value('acme/limits', () => setting)
    const { snapshot } = await initialize(source)
    setting = { b: 2, a: 1 }
    expect((await reconcile(source, snapshot)).type).toBe('unchanged')
  })

  it('takes renderers, a validator and what else a source may say', async () => {
    let model = { name: 'small', effort: 1 }
    const source = value('acme/model', () => model, {
      codec: z.object({ name: z.string(), effort: z.number() }),
      baseline: (current) => `You are ${current.name}.`,
      update: (previous, current) => `You were ${previous.name} and are ${current.name}.`,
      authority: 'user',
    })
    const { baseline, snapshot } = await initialize(source)
    expect(baseline).toBe('<outside-text source="acme/model">\nYou are small.\n</outside-text>')
    model = { name: 'large', effort: 1 }
    expect(await reconcile(source, snapshot)).toMatchObject({
      parts: [{ authority: 'user', text: expect.stringContaining('You were small and are large.') as string }],
    })
  })

  it('passes on what the boundary was given', async () => {
    const source = value<string, { mode: string }>('acme/mode', ({ host, session }) => `${host?.mode} of ${session}`)
    const { baseline } = await initialize(source, { host: { mode: 'plan' }, session: 's1' })
    expect(baseline).toBe('The setting "acme/mode" is "plan of s1".')
  })

  it('counts as unavailable when it holds no JSON', async () => {
    const source = value('acme/when', () => new Date(0) as unknown as Json, { required: false })
    const change = await reconcile(source, {})
    expect(change).toMatchObject({ type: 'unchanged', stale: [{ key: 'acme/when', reason: 'error' }] })
  })

  it('takes a value that is typed by an interface, and asks for absent in place of undefined', async () => {
    interface Flags {
      readonly beta: boolean
    }
    const flags: Flags = { beta: true }
    const { baseline } = await initialize(value('acme/flags', () => flags))
    expect(baseline).toBe('The setting "acme/flags" is {"beta":true}.')
    // @ts-expect-error a setting that is not set is absent, not undefined
    value('acme/flags', (): Flags | undefined => flags)
  })

  it('refuses a key without a namespace', () => {
    expect(() => value('mode', () => 'plan')).toThrow(SourceInvalidError)
  })
})
