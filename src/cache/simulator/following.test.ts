import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PreparedRequest, type PreparedItem } from '../layout/prepared.ts'
import { readItems } from '../layout/read-items.ts'
import { createSimulator } from './create-simulator.ts'
import { FollowingRequest } from './following.ts'
import type { Prediction, Simulator } from './types.ts'

/** Prepares bodies, each item once. */
function preparer(texts: boolean): (body: object) => PreparedRequest {
  const known = new Map<string, PreparedItem>()
  return (body) => {
    const { format, model, items, scope, automatic, settings, reader } = readItems(body, {})
    const places = items.map((item) => {
      const key = JSON.stringify([item.section, item.role, item.raw, item.mark])
      const segments = reader.split(item)
      const raw = known.get(key) ?? { segments, textSegments: segments }
      known.set(key, raw)
      return { ...item, raw }
    })
    return new PreparedRequest({ format, model, items: places, scope, automatic, settings, texts })
  }
}

/** A turn goes on from one before it, or begins anew. */
interface Turn {
  readonly parent: number
  readonly clock: number
  readonly said: number
  readonly mark: boolean
  readonly automatic: boolean
  readonly pause: number
}

function bodiesOf(turns: readonly Turn[]): { readonly bodies: readonly object[]; readonly parents: readonly number[] } {
  const histories: (readonly string[])[] = []
  const parents: number[] = []
  const bodies = turns.map(({ parent, clock, said, mark, automatic }, at): object => {
    const from = at === 0 ? -1 : (parent % (at + 1)) - 1
    parents.push(from)
    const history = [...(histories[from] ?? []), `say ${said} `.repeat(60), `ask ${at} `.repeat(60)]
    histories.push(history)
    const marked = { cache_control: { type: 'ephemeral' } }
    return {
      model: 'claude-opus-5',
      ...(automatic && marked),
      system: [{ type: 'text', text: `${'Rules. '.repeat(900)}${clock}`, ...marked }],
      messages: history.slice(1).map((text, index, all) => ({
        role: index % 2 === 0 ? 'user' : 'assistant',
        content: [{ type: 'text', text, ...(mark && index === all.length - 1 && marked) }],
      })),
    }
  })
  return { bodies, parents }
}

const turns = fc.array(
  fc.record({
    parent: fc.nat(20),
    clock: fc.nat(1),
    said: fc.nat(1),
    mark: fc.boolean(),
    automatic: fc.boolean(),
    pause: fc.constantFrom(1, 30, 400),
  }),
  { minLength: 1, maxLength: 12 },
)

describe('a request that follows another', () => {
  it.each(['anthropic', 'generic', 'xai'])('is predicted like one that is followed from the start (%s)', (provider) => {
    fc.assert(
      fc.property(turns, fc.constantFrom(1000, 12), (all, maxSegments) => {
        const { bodies, parents } = bodiesOf(all)
        const prepare = preparer(provider !== 'anthropic')
        const [plain, following]: Simulator[] = [0, 1].map(() => createSimulator({ provider, maxSegments }))
        const sent: FollowingRequest[] = []
        let at = 0
        const predictions = bodies.map((body, index): [Prediction, Prediction] => {
          at += (all[index]?.pause ?? 0) * 1000
          const request = prepare(body)
          const after = sent[parents[index] ?? -1] ?? null
          sent.push(new FollowingRequest(request, after))
          return [plain!.send(request, { startedAt: at }), following!.send(sent[index], { startedAt: at })]
        })
        for (const [one, other] of predictions) expect(other).toEqual(one)
        expect(following!.entries(at)).toEqual(plain!.entries(at))
        expect(following!.segments).toBe(plain!.segments)
      }),
      { numRuns: 60 },
    )
  })

  it('is followed from the start in another cache', () => {
    const prepare = preparer(false)
    const { bodies } = bodiesOf(
      [0, 1].map((at) => ({ parent: at, clock: 0, said: 0, mark: true, automatic: false, pause: 1 })),
    )
    const [first, second] = bodies.map(prepare) as [PreparedRequest, PreparedRequest]
    const before = new FollowingRequest(first, null)
    createSimulator({ provider: 'anthropic' }).send(before, { startedAt: 0 })
    const other = createSimulator({ provider: 'anthropic' })
    expect(other.send(new FollowingRequest(second, before), { startedAt: 1000 }).usage.read).toBe(0)
  })

  it('lets go of the one before it', () => {
    const [body] = bodiesOf([{ parent: 0, clock: 0, said: 0, mark: true, automatic: false, pause: 1 }]).bodies
    const request = preparer(false)(body!)
    const before = new FollowingRequest(request, null)
    createSimulator({ provider: 'anthropic' }).send(before, {})
    const after = new FollowingRequest(request, before)
    expect(after.takeBefore()).toBe(before.way)
    expect(after.takeBefore()).toBeUndefined()
  })
})
