import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { absent, combine, defineSource, initialize, reconcile, SourceInvalidError } from '../context/index.ts'
import { date } from './date.ts'

async function baselineAt(instant: string, timeZone: string): Promise<string> {
  const { baseline } = await initialize(date({ timeZone, clock: () => new Date(instant) }))
  return baseline
}

describe('date', () => {
  it.each([
    ['2026-03-01T12:00:00Z', 'UTC', 'Sunday, 2026-03-01 (UTC)'],
    ['2026-03-01T22:59:59.999Z', 'Europe/Berlin', 'Sunday, 2026-03-01 (Europe/Berlin)'],
    ['2026-03-01T23:00:00Z', 'Europe/Berlin', 'Monday, 2026-03-02 (Europe/Berlin)'],
    // The same instant in the zones that are furthest apart: two days lie between them.
    ['2026-01-01T10:30:00Z', 'Pacific/Kiritimati', 'Friday, 2026-01-02 (Pacific/Kiritimati)'],
    ['2026-01-01T10:30:00Z', 'Etc/GMT+12', 'Wednesday, 2025-12-31 (Etc/GMT+12)'],
    // Midnight does not exist on the day on which Beirut moves its clocks forward.
    ['2026-03-28T21:59:59Z', 'Asia/Beirut', 'Saturday, 2026-03-28 (Asia/Beirut)'],
    ['2026-03-28T22:00:00Z', 'Asia/Beirut', 'Sunday, 2026-03-29 (Asia/Beirut)'],
    // Havana has the hour after midnight twice when it moves them back.
    ['2026-11-01T04:30:00Z', 'America/Havana', 'Sunday, 2026-11-01 (America/Havana)'],
    ['2026-11-01T05:30:00Z', 'America/Havana', 'Sunday, 2026-11-01 (America/Havana)'],
    // Samoa skipped a day.
    ['2011-12-30T09:59:59Z', 'Pacific/Apia', 'Thursday, 2011-12-29 (Pacific/Apia)'],
    ['2011-12-30T10:00:00Z', 'Pacific/Apia', 'Saturday, 2011-12-31 (Pacific/Apia)'],
    ['2024-02-29T00:00:00Z', 'UTC', 'Thursday, 2024-02-29 (UTC)'],
    ['0044-03-15T12:00:00Z', 'UTC', 'Tuesday, 0044-03-15 (UTC)'],
  ])('reads %s in %s as %s', async (instant, timeZone, expected) => {
    expect(await baselineAt(instant, timeZone)).toBe(`The current date is ${expected}.`)
  })

  it('says nothing all day, and once that the day is over', async () => {
    let now = new Date('2026-03-01T00:00:00Z')
    const source = date({ timeZone: 'UTC', clock: () => now })
    const { snapshot } = await initialize(source)

    now = new Date('2026-03-01T23:59:59.999Z')
    expect(await reconcile(source, snapshot)).toMatchObject({ type: 'unchanged', stale: [] })

    now = new Date('2026-03-02T00:00:00Z')
    const change = await reconcile(source, snapshot)
    expect(change).toMatchObject({ type: 'updated', text: 'The current date is now Monday, 2026-03-02 (UTC).' })
    expect(change.type === 'updated' && (await reconcile(source, change.snapshot)).type).toBe('unchanged')
  })

  it('tells the day of another zone when the zone is changed', async () => {
    const clock = (): Date => new Date('2026-03-01T12:00:00Z')
    const { snapshot } = await initialize(date({ timeZone: 'UTC', clock }))
    expect(await reconcile(date({ timeZone: 'Europe/Berlin', clock }), snapshot)).toMatchObject({
      text: 'The current date is now Sunday, 2026-03-01 (Europe/Berlin).',
    })
  })

  it('leaves a sentence behind when an application stops using it', async () => {
    const other = defineSource({
      key: 'test/other',
      codec: { encode: (value: string) => value, decode: String },
      load: () => absent,
      baseline: String,
      update: String,
    })
    const { snapshot } = await initialize(combine(date({ timeZone: 'UTC' }), other))
    expect(await reconcile(other, snapshot)).toMatchObject({
      text: 'The current date is no longer tracked; the date given earlier may have passed.',
    })
  })

  it('gives the same bytes whatever the language and the zone of the machine', () => {
    const program = `
      import { initialize } from ${JSON.stringify(new URL('../context/index.ts', import.meta.url).href)}
      import { date } from ${JSON.stringify(new URL('date.ts', import.meta.url).href)}
      const clock = () => new Date('2026-03-01T22:30:00Z')
      for (const timeZone of ['Asia/Tokyo', 'America/Los_Angeles']) {
        console.log((await initialize(date({ timeZone, clock }))).baseline)
      }`
    const machines = [
      { LC_ALL: 'de_DE.UTF-8', TZ: 'Pacific/Kiritimati' },
      { LC_ALL: 'ar_EG.UTF-8', TZ: 'Etc/GMT+12' },
      { LC_ALL: 'fa_IR.UTF-8', TZ: 'Asia/Tehran' },
    ]
    const outputs = machines.map((machine) =>
      execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
        env: { ...process.env, ...machine },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    )
    const expected =
      'The current date is Monday, 2026-03-02 (Asia/Tokyo).\n' +
      'The current date is Sunday, 2026-03-01 (America/Los_Angeles).\n'
    expect(outputs).toEqual(machines.map(() => expected))
  })

  it.each(['', 'Mars/Olympus', 'local', ' UTC', '\n', undefined as unknown as string])(
    'refuses the time zone %j where it is made',
    (timeZone) => {
      expect(() => date({ timeZone })).toThrow(SourceInvalidError)
      expect(() => date({ timeZone })).toThrow(/time zone.*give an IANA name, as in 'Europe\/Berlin' or 'UTC'/)
    },
  )

  it('counts as unavailable while the clock is not one', async () => {
    let now = new Date('2026-03-01T00:00:00Z')
    const source = date({ timeZone: 'UTC', clock: () => now })
    const { snapshot } = await initialize(source)
    now = new Date(Number.NaN)
    expect(await reconcile(source, snapshot)).toMatchObject({
      type: 'unchanged',
      stale: [{ key: 'indelible/date', reason: 'error', told: { date: '2026-03-01', timeZone: 'UTC' } }],
    })
  })
})
