import { describe, expect, it } from 'vitest'
import { storeConformance } from '../testing/store-conformance.ts'
import { memoryStore } from './memory.ts'

describe('memoryStore', () => {
  const cases = storeConformance(() => memoryStore(), { persistent: false })
  it.for(cases.map((found) => [found.name, found] as const))('%s', async ([, { run, skip }], test) => {
    test.skip(skip !== undefined, skip)
    await expect(run()).resolves.toBeUndefined()
  })

  it('hands out one and the same empty array at every quiet read', async () => {
    const store = memoryStore()
    const event = { revision: 1, type: 'epoch', v: 1, id: null, at: '', body: '{}', checksum: '' }
    await store.append('session', 0, [event])
    expect(await store.read('session', 1)).toBe(await store.read('session', 1))
    expect(await store.read('session', 1)).toBe(await store.read('unknown', 0))
  })
})
