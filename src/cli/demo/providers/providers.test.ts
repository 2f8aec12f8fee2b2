import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guessTokens, layout, price } from '../../../cache/index.ts'
import type { Verification } from '../../../session/index.ts'
import { checkConversation, type Check } from '../check.ts'
import { converse, type TurnRecord } from '../conversation.ts'
import { createRepository } from '../repository.ts'
import { createScript } from '../script.ts'
import { toolDefinitions } from '../tools.ts'
import { World } from '../world.ts'
import { providers } from './index.ts'
import { PROVIDER_NAMES } from './names.ts'

const TURNS = 6

const folder = mkdtempSync(join(tmpdir(), 'indelible-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(PROVIDER_NAMES)('the demo with %s', (name) => {
  const provider = providers[name]
  let records: readonly TurnRecord[]
  let verification: Verification
  let sent: boolean

  beforeAll(async () => {
    const world = new World(await createRepository(join(folder, name)))
    const service = await provider.start(world.now, guessTokens)
    const file = join(folder, `${name}.sqlite`)
    const ways = provider.open({ file, session: 'demo', context: world.context, clock: world.now })
    try {
      records = await converse(world, createScript(world.repository, TURNS), ways.all, provider, service)
      verification = await ways.verify()
      sent = service.client !== null
    } finally {
      await ways.close()
      await service.close()
    }
  })

  const check = (turns: readonly TurnRecord[]): readonly Check[] =>
    checkConversation(turns, verification, { ...provider, countTokens: guessTokens, sent })
  const verdicts = (turns: readonly TurnRecord[]): readonly boolean[] => check(turns).map(({ ok }) => ok)
  const layoutOf = (body: object) => layout(body, { ...provider })

  /** The conversation with another body for the last request of the way with epochs. */
  function edited(edit: (text: string) => string): readonly TurnRecord[] {
    const last = records.at(-1)!
    const before = JSON.stringify(last.ways.epochs.body)
    const after = edit(before)
    expect(after).not.toBe(before)
    const way = { ...last.ways.epochs, body: JSON.parse(after) as object }
    return [...records.slice(0, -1), { ...last, ways: { ...last.ways, epochs: way } }]
  }

  it('keeps what it claims', () => {
    expect(check(records).filter(({ ok }) => !ok)).toEqual([])
    expect(records.flatMap(({ ways }) => ways.epochs.update ?? [])).not.toHaveLength(0)
  })

  it('finds a start that was edited, by which the bill is another too', () => {
    expect(verdicts(edited((text) => text.replaceAll('Please review', 'Do not review')))).toEqual([
      false,
      true,
      true,
      true,
      provider.writes.length === 0,
    ])
  })

  it('finds an update that did not arrive', () => {
    const lost = edited((text) => text.replaceAll('The mode is now', 'The mode was never'))
    expect(verdicts(lost).slice(0, 3)).toEqual([false, true, false])
  })

  it('finds a bill for something else', () => {
    const [first, ...rest] = records
    const { bill } = first!.ways.anew
    const anew = { ...first!.ways.anew, bill: { ...bill, uncached: bill.uncached + 1 } }
    const turns = [{ ...first!, ways: { ...first!.ways, anew } }, ...rest]
    expect(verdicts(turns)).toEqual([true, true, true, true, false])
  })

  it('has a price, for which nothing is assumed', () => {
    const { model, writes } = provider
    const written = Object.fromEntries(writes.map((lifetime) => [lifetime, 10]))
    const usage = { total: 20 + 10 * writes.length, read: 10, uncached: 10, output: 10, ...written }
    expect(price(usage, { model, at: records[0]!.at })).toMatchObject({ type: 'priced', assumed: [] })
  })

  it('has a system prompt of one text anew, and of two when it is split, and all tools', () => {
    const { anew, split } = records[0]!.ways
    const texts = ({ body }: { body: object }) => layoutOf(body).segments.filter(({ section }) => section === 'system')
    expect([texts(anew).length, texts(split).length]).toEqual([1, 2])
    expect(texts(split)[0]!.content).not.toContain('The mode')
    for (const { ways } of records) {
      for (const { body } of Object.values(ways)) {
        expect(layoutOf(body).segments.filter(({ section }) => section === 'tools')).toHaveLength(
          toolDefinitions.length,
        )
      }
    }
  })
})
