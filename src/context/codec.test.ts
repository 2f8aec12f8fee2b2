import type { StandardSchemaV1 } from '@standard-schema/spec'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { initialize, reconcile } from './boundary.ts'
import { toCodec } from './codec.ts'
import { testSource } from './test-source.ts'
import type { SourceDefinition } from './types.ts'

interface Branch {
  name: string
  ahead: number
}

const validators: Record<string, SourceDefinition<Branch>['codec']> = {
  zod: z.object({ name: z.string(), ahead: z.number() }),
  valibot: v.object({ name: v.string(), ahead: v.number() }),
  arktype: type({ name: 'string', ahead: 'number' }),
}

describe.each(Object.entries(validators))('a %s validator', (_, codec) => {
  it('is a codec as it is', async () => {
    let branch: Branch = { name: 'main', ahead: 0 }
    const context = testSource<Branch>('branch', () => branch, { codec })
    const { baseline, snapshot } = await initialize(context)
    expect(baseline).toMatch(/^branch = \{.*"main".*\}$/)
    expect(snapshot['test/branch']?.value).toEqual(branch)
    expect(await reconcile(context, snapshot)).toEqual({ type: 'unchanged', stale: [] })

    branch = { name: 'next', ahead: 1 }
    const change = await reconcile(context, snapshot)
    expect(change).toMatchObject({ type: 'updated', snapshot: { 'test/branch': { value: branch } } })
  })

  it('makes a value that it refuses unavailable, and says what is wrong with it', async () => {
    let branch: unknown = { name: 'main', ahead: 0 }
    const context = testSource<Branch>('branch', () => branch as Branch, { codec })
    const { snapshot } = await initialize(context)

    branch = { name: 'main', ahead: 'many' }
    const error = expect.objectContaining({ message: expect.stringContaining('ahead') })
    expect(await reconcile(context, snapshot)).toEqual({
      type: 'unchanged',
      stale: [{ key: 'test/branch', reason: 'error', told: { name: 'main', ahead: 0 }, error }],
    })
  })

  it('makes a stored value that it refuses an incompatible one', async () => {
    const context = testSource<Branch>('branch', () => ({ name: 'main', ahead: 0 }), { codec })
    const change = await reconcile(context, { 'test/branch': { value: { name: 'main' } } })
    expect(change).toMatchObject({
      type: 'replacement-ready',
      reason: "'test/branch' was told a value that its codec no longer decodes",
    })
  })
})

describe('a validator', () => {
  it('that is asynchronous is refused with the reason, and its rejection ends no process', async () => {
    const codec: StandardSchemaV1<string> = {
      '~standard': { version: 1, vendor: 'acme', validate: () => Promise.reject(new Error('the server is down')) },
    }
    expect(() => toCodec(codec).decode('main')).toThrow(/acme validator is asynchronous/)
    const context = testSource<string>('name', () => 'main', { codec })
    await expect(initialize(context)).rejects.toThrow(/'test\/name' \(failed: The acme validator is asynchronous/)
  })

  it('names where in the value the issues are', () => {
    const codec = toCodec(v.object({ list: v.array(v.object({ count: v.number() })), name: v.string() }))
    expect(() => codec.decode({ list: [{ count: 'x' }], name: 1 })).toThrow(/^list\.0\.count: .*; name: /)
    expect(() => toCodec(v.string()).decode(1)).toThrow(/^Invalid type/)
  })
})

describe('a hand-written codec', () => {
  const dates: SourceDefinition<Date>['codec'] = {
    encode: (value) => value.toISOString().slice(0, 10),
    decode: (json) => {
      const date = new Date(String(json))
      if (Number.isNaN(date.getTime())) throw new RangeError(`${String(json)} is no date`)
      return date
    },
  }

  it('stores what it encodes and gives renderers what it decodes', async () => {
    let now = new Date('2026-03-01T23:59:00Z')
    const context = testSource<Date>('today', () => now, {
      codec: dates,
      baseline: (current) => `It is ${current.getUTCFullYear()}.`,
      update: (previous, current) => `${current.getTime() - previous.getTime()} ms later.`,
    })
    const { baseline, snapshot } = await initialize(context)
    expect(baseline).toBe('It is 2026.')
    expect(snapshot['test/today']?.value).toBe('2026-03-01')

    now = new Date('2026-03-01T00:00:00Z')
    expect((await reconcile(context, snapshot)).type).toBe('unchanged')
    now = new Date('2026-03-02T10:00:00Z')
    expect(await reconcile(context, snapshot)).toMatchObject({ text: '86400000 ms later.' })
  })

  it('that cannot encode a value makes it unavailable', async () => {
    const context = testSource<Date>('today', () => new Date(Number.NaN), { codec: dates })
    const stored = { 'test/today': { value: '2026-03-01' } }
    expect(await reconcile(context, stored)).toEqual({
      type: 'unchanged',
      stale: [{ key: 'test/today', reason: 'error', told: '2026-03-01', error: expect.any(RangeError) }],
    })
  })

  it('that encodes to what is no JSON makes the value unavailable', async () => {
    const codec = { encode: () => new Map() as never, decode: () => 'never' }
    const context = testSource<string>('map', () => 'x', { codec })
    const change = await reconcile(context, {})
    expect(change.stale).toMatchObject([{ key: 'test/map', reason: 'error', error: { name: 'NotJsonError' } }])
  })

  it('that cannot read back what it encoded makes the value unavailable', async () => {
    const decode = (): never => {
      throw new TypeError('one way only')
    }
    const context = testSource<string>('oneway', () => 'x', { codec: { encode: (value) => value, decode } })
    await expect(initialize(context)).rejects.toMatchObject({ keys: ['test/oneway'], message: /one way only/ })
    expect((await reconcile(context, {})).stale).toMatchObject([{ key: 'test/oneway', reason: 'error' }])
  })
})
