import { afterEach, describe, expect, it, vi } from 'vitest'
import { combine } from './combine.ts'
import { completeObservation, observe, Unobserved } from './observe.ts'
import type { Observation } from './observe.ts'
import { reconcileObservation } from './reconcile.ts'
import { startFrom } from './start.ts'
import { testSource } from './test-source.ts'
import { absent, unavailable } from './types.ts'
import type { Context, LoadOptions, Snapshot } from './types.ts'

const never = (): Promise<never> => new Promise(() => {})

function observeNow<H>(context: Context<H>, options: Parameters<typeof observe<H>>[1] = {}): Observation<H> {
  const observation = observe(context, options)
  if (observation instanceof Promise) throw new Error('expected the observation at once')
  return observation
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('reading sources', () => {
  it('needs no promise and no timer when every loader is synchronous', () => {
    const setTimeout = vi.spyOn(globalThis, 'setTimeout')
    const throwing = testSource('throwing', () => {
      throw new Error('no')
    })
    const context = combine(
      testSource('value', () => 1),
      testSource('absent', () => absent),
      testSource('unavailable', () => unavailable),
      throwing,
    )
    expect(observeNow(context).readings).toEqual([
      1,
      absent,
      new Unobserved('unavailable'),
      new Unobserved('error', new Error('no')),
    ])
    expect(setTimeout).not.toHaveBeenCalled()
  })

  it('starts every loader before it waits for one', async () => {
    const started: string[] = []
    const gate = Promise.withResolvers<void>()
    const slow = (name: string): Context =>
      testSource(name, async () => {
        started.push(name)
        await gate.promise
        return name
      })
    const observation = observe(combine(slow('a'), slow('b'), slow('c')))
    expect(started).toEqual(['a', 'b', 'c'])
    gate.resolve()
    expect((await observation).readings).toEqual(['a', 'b', 'c'])
  })

  it('gives a rejection as the error of its source alone', async () => {
    const error = new Error('no')
    const { readings } = await observe(
      combine(
        testSource('bad', () => Promise.reject(error)),
        testSource('good', async () => 1),
      ),
    )
    expect(readings).toEqual([new Unobserved('error', error), 1])
  })

  it('waits for a thenable that is no promise, and survives one that throws', async () => {
    const thenable = (then: PromiseLike<number>['then']): Promise<number> => ({ then }) as Promise<number>
    const good = testSource('good', () => thenable((resolve) => Promise.resolve(1).then(resolve)))
    const bad = testSource('bad', () =>
      thenable(() => {
        throw new Error('no')
      }),
    )
    expect((await observe(combine(good, bad))).readings).toEqual([1, new Unobserved('error', new Error('no'))])
  })

  it('passes the session and the host on, and nothing that was not given', () => {
    const seen: LoadOptions[] = []
    const context = testSource('value', (options) => {
      seen.push(options)
      return 1
    })
    observeNow(context, { session: 's1', host: { cwd: '/work' } })
    observeNow(context)
    expect({ ...seen[0] }).toEqual({ session: 's1', host: { cwd: '/work' }, signal: expect.any(AbortSignal) })
    expect({ ...seen[1] }).toEqual({ signal: expect.any(AbortSignal) })
  })

  it('refuses what is no context', () => {
    expect(() => observe({} as Context)).toThrow(/Expected a context/)
    expect(() => observe(undefined as unknown as Context)).toThrow(TypeError)
  })
})

describe('a value that its owner mutates afterwards', () => {
  it('is kept as it was when it was read, even while slower loaders are pending', async () => {
    const live = { list: [1] }
    const gate = Promise.withResolvers<number>()
    const context = combine(
      testSource('sync', () => live),
      testSource('async', async () => live),
      testSource('slow', () => gate.promise),
    )
    const observation = observe(context)
    live.list.push(2)
    await Promise.resolve()
    await Promise.resolve()
    live.list.push(3)
    gate.resolve(0)
    expect((await observation).readings).toEqual([{ list: [1] }, { list: [1, 2] }, 0])
  })

  it('changes neither snapshot nor text', () => {
    const live = { list: [1] }
    const context = testSource('live', () => live)
    const { snapshot, baseline } = startFrom(observeNow(context))
    live.list.push(2)
    expect(baseline).toBe('live = {"list":[1]}')
    expect(snapshot['test/live']?.value).toEqual({ list: [1] })
    expect(reconcileObservation(observeNow(context, { snapshot }), snapshot)).toMatchObject({
      text: 'live: {"list":[1]} -> {"list":[1,2]}',
    })
  })

  it('cannot be reached through the observation', () => {
    const live = { list: [1] }
    const [reading] = observeNow(testSource('live', () => live)).readings
    expect(reading).not.toBe(live)
    expect(Object.isFrozen((reading as typeof live).list)).toBe(true)
  })
})

describe('a loader that hangs', () => {
  it('times out, and its signal fires', async () => {
    vi.useFakeTimers()
    const signals: AbortSignal[] = []
    const context = testSource('hanging', ({ signal }) => {
      signals.push(signal)
      return never()
    })
    const observation = observe(context)
    await vi.advanceTimersByTimeAsync(1999)
    expect(signals[0]?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect((await observation).readings).toEqual([new Unobserved('timeout')])
    expect(signals[0]?.aborted).toBe(true)
    expect(signals[0]?.reason).toMatchObject({ name: 'TimeoutError' })
  })

  it('finds its signal aborted when it looks only afterwards', async () => {
    vi.useFakeTimers()
    let given: LoadOptions | undefined
    const observation = observe(
      testSource('hanging', (options) => {
        given = options
        return never()
      }),
    )
    await vi.advanceTimersByTimeAsync(2000)
    await observation
    expect(given?.signal.aborted).toBe(true)
  })

  it('takes down no source that has more time', async () => {
    vi.useFakeTimers()
    const signals = new Map<string, AbortSignal>()
    const gate = Promise.withResolvers<string>()
    const hanging = (name: string, timeoutMs: number, result: Promise<string>): Context =>
      testSource<string>(
        name,
        ({ signal }) => {
          signals.set(name, signal)
          return result
        },
        { timeoutMs },
      )
    const observation = observe(
      combine(hanging('long', 5000, gate.promise), hanging('short', 10, never()), hanging('middle', 3000, never())),
    )
    await vi.advanceTimersByTimeAsync(10)
    expect([...signals].map(([name, { aborted }]) => [name, aborted])).toEqual([
      ['long', false],
      ['short', true],
      ['middle', false],
    ])
    await vi.advanceTimersByTimeAsync(2990)
    expect(signals.get('middle')?.aborted).toBe(true)
    gate.resolve('in time')
    expect((await observation).readings).toEqual(['in time', new Unobserved('timeout'), new Unobserved('timeout')])
    expect(signals.get('long')?.aborted).toBe(false)
  })

  it('may answer or fail later: nobody notices', async () => {
    vi.useFakeTimers()
    const late = Promise.withResolvers<number>()
    const failing = Promise.withResolvers<number>()
    const pending = observe(
      combine(
        testSource('late', () => late.promise),
        testSource('failing', () => failing.promise),
      ),
    )
    await vi.advanceTimersByTimeAsync(2000)
    const { readings } = await pending
    late.resolve(1)
    failing.reject(new Error('too late'))
    await vi.advanceTimersByTimeAsync(1)
    expect(readings).toEqual([new Unobserved('timeout'), new Unobserved('timeout')])
  })

  it('shares one timer with all others, which is cleared when the last one is in', async () => {
    vi.useFakeTimers()
    const setTimeout = vi.spyOn(globalThis, 'setTimeout')
    const gate = Promise.withResolvers<number>()
    const context = combine(...Array.from({ length: 20 }, (_, index) => testSource(`s${index}`, () => gate.promise)))
    const observation = observe(context)
    expect(setTimeout).toHaveBeenCalledTimes(1)
    expect(vi.getTimerCount()).toBe(1)
    gate.resolve(1)
    await observation
    expect(vi.getTimerCount()).toBe(0)
  })

  it('may be given more time than a timer can hold', async () => {
    vi.useFakeTimers()
    const gate = Promise.withResolvers<number>()
    const observation = observe(testSource('patient', () => gate.promise, { timeoutMs: 1e12 }))
    await vi.advanceTimersByTimeAsync(60_000)
    gate.resolve(1)
    expect((await observation).readings).toEqual([1])
  })
})

describe("sources of refresh: 'epoch'", () => {
  const context = (load: () => number): Context =>
    combine(
      testSource('turn', () => 'now'),
      testSource('epoch', load, { refresh: 'epoch' }),
    )

  it('are read when an epoch starts, and otherwise not', () => {
    const load = vi.fn(() => 1)
    expect(observeNow(context(load)).readings).toEqual(['now', undefined])
    expect(load).not.toHaveBeenCalled()
    expect(observeNow(context(load), { epoch: true }).readings).toEqual(['now', 1])
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('can be read after the others, each source once in all', async () => {
    const turn = vi.fn(() => 'now')
    const epoch = vi.fn(async () => 1)
    const observation = observeNow(combine(testSource('turn', turn), testSource('epoch', epoch, { refresh: 'epoch' })))
    expect((await completeObservation(observation)).readings).toEqual(['now', 1])
    expect((await completeObservation(observation)).readings).toEqual(['now', 1])
    expect(turn).toHaveBeenCalledTimes(1)
    expect(epoch).toHaveBeenCalledTimes(1)
  })

  it('must have been read before an epoch starts', () => {
    expect(() => startFrom(observeNow(context(() => 1)))).toThrow(/'test\/epoch' was not read/)
  })
})

describe('an observation', () => {
  it('is the same whatever snapshot it was made with', () => {
    const context = testSource('value', () => ({ a: 1, b: 2 }))
    const told = (value: object): Snapshot => ({ 'test/value': { value: { ...value }, removed: 'x' } })
    for (const hint of [told({ b: 2, a: 1 }), told({ a: 2 }), {}]) {
      const observation = observeNow(context, { snapshot: hint })
      expect(reconcileObservation(observation, told({ a: 1, b: 2 })).type).toBe('unchanged')
      expect(reconcileObservation(observation, told({ a: 0 }))).toMatchObject({
        text: 'value: {"a":0} -> {"a":1,"b":2}',
      })
      expect(reconcileObservation(observation, {})).toMatchObject({ text: 'value = {"a":1,"b":2}' })
    }
  })
})
