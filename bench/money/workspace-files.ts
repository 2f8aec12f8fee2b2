/**
 * The files that the agent of the bench reads. Areas are made from a template, so that they are the same on every machine and
 * as long as real ones; areas of a shop do look alike. What the conversation is about is `keptOfLine`, which in two of them
 * takes a share of a share.
 */

interface Area {
  readonly name: string
  /** One of its things. */
  readonly one: string
  readonly fields: readonly string[]
  readonly states: readonly string[]
}

const areas: readonly Area[] = [
  {
    name: 'orders',
    one: 'order',
    fields: ['customer', 'coupon', 'currency'],
    states: ['open', 'paid', 'sent', 'closed'],
  },
  { name: 'refunds', one: 'refund', fields: ['order', 'reason', 'key'], states: ['asked', 'granted', 'given'] },
  { name: 'invoices', one: 'invoice', fields: ['order', 'refund', 'number'], states: ['draft', 'issued', 'corrected'] },
  {
    name: 'shipments',
    one: 'shipment',
    fields: ['order', 'carrier', 'grams'],
    states: ['packed', 'handed', 'arrived'],
  },
]

/** All files, by path. */
export function createFiles(): Map<string, string> {
  const files = new Map<string, string>()
  for (const area of areas) {
    files.set(`src/${area.name}/service.ts`, serviceOf(area))
    files.set(`src/${area.name}/routes.ts`, routesOf(area))
    files.set(`test/${area.name}.test.ts`, testOf(area))
  }
  files.set('src/money/round.ts', rounding)
  files.set('docs/counter.md', '# At the counter\n\nRefunds are entered by the till and show up here.\n')
  files.set('CHANGELOG.md', changelog)
  return files
}

/** `Order` of `order`. */
function typeOf(one: string): string {
  return one.slice(0, 1).toUpperCase() + one.slice(1)
}

function serviceOf({ name, one, fields, states }: Area): string {
  const type = typeOf(one)
  const [first, second, third] = fields
  return `import type { Clock } from '../clock.ts'
import { ShopError } from '../errors.ts'
import type { Ids } from '../ids.ts'
import { roundLine, shareOf } from '../money/round.ts'
import type { Storage } from '../storage/storage.ts'

export type ${type}State = ${states.map((state) => `'${state}'`).join(' | ')}

export interface ${type}Line {
  readonly article: string
  readonly count: number
  /** Cents for one, when it was entered. */
  readonly price: number
  /** Percent. */
  readonly discount: number
  /** Cents for all of them, once it is fixed. */
  readonly paid: number | null
}

export interface ${type} {
  readonly id: string
  readonly version: number
  readonly state: ${type}State
  readonly ${first}: string
  readonly ${second}: string
  readonly ${third}: string
  readonly lines: readonly ${type}Line[]
  /** An instant in UTC. */
  readonly changedAt: string
}

export class ${type}NotFoundError extends ShopError {
  constructor(id: string) {
    super('${one}_not_found', \`There is no ${one} \${id}.\`)
  }
}

export class ${type}StateError extends ShopError {
  constructor(id: string, state: ${type}State, wanted: ${type}State) {
    super('${one}_state', \`The ${one} \${id} is \${state} and cannot become \${wanted}.\`)
  }
}

const next: { readonly [state in ${type}State]?: ${type}State } = {
${states
  .slice(1)
  .map((state, index) => `  ${states[index]}: '${state}',`)
  .join('\n')}
}

export interface ${type}Services {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
}

/** Enters a new ${one}. The same key again gives the same ${one}. */
export async function enter(services: ${type}Services, key: string, given: Pick<${type}, '${first}' | '${second}' | '${third}' | 'lines'>): Promise<${type}> {
  return services.storage.transaction(async (rows) => {
    const known = await rows.byKey('${name}', key)
    if (known !== undefined) return known as ${type}
    const entered: ${type} = {
      ...given,
      id: services.ids.next('${one}'),
      version: 1,
      state: '${states[0]}',
      changedAt: services.clock.now(),
    }
    await rows.insert('${name}', key, entered)
    return entered
  })
}

/** Moves a ${one} on to its next state. Throws {@link ${type}StateError} for any other. */
export async function advance(services: ${type}Services, id: string, wanted: ${type}State): Promise<${type}> {
  return services.storage.transaction(async (rows) => {
    const current = (await rows.byId('${name}', id)) as ${type} | undefined
    if (current === undefined) throw new ${type}NotFoundError(id)
    if (next[current.state] !== wanted) throw new ${type}StateError(id, current.state, wanted)
    const moved: ${type} = { ...current, state: wanted, version: current.version + 1, changedAt: services.clock.now() }
    await rows.update('${name}', current.version, moved)
    return moved
  })
}

/** What a line comes to, in cents: fixed where it is paid, and computed where it is not. */
export function amountOfLine({ count, price, discount, paid }: ${type}Line): number {
  return paid ?? roundLine(count * price - shareOf(count * price, discount))
}

/** What of a line is kept when \`returned\` of it come back, in cents. */
export function keptOfLine(line: ${type}Line, returned: number): number {
${one === 'refund' || one === 'invoice' ? '  return shareOf(shareOf(amountOfLine(line), 100 - line.discount), (100 * (line.count - returned)) / line.count)' : '  return roundLine((amountOfLine(line) * (line.count - returned)) / line.count)'}
}

/** The sum over the lines, in cents. It is a sum of rounded lines, and is not rounded again. */
export function amountOf({ lines }: Pick<${type}, 'lines'>): number {
  return lines.reduce((sum, line) => sum + amountOfLine(line), 0)
}

/** All that were changed since an instant, the oldest first, at most 100. */
export async function changedSince(services: ${type}Services, since: string): Promise<readonly ${type}[]> {
  const found = await services.storage.read((rows) => rows.byIndex('${name}', 'changedAt', { from: since, limit: 100 }))
  return found as readonly ${type}[]
}
`
}

function routesOf({ name, one, fields, states }: Area): string {
  const type = typeOf(one)
  return `import { answerFor } from '../http/answer-for.ts'
import { list, number, object, read, text } from '../http/read.ts'
import type { Route } from '../http/route.ts'
import { advance, amountOf, changedSince, enter, type ${type}, type ${type}Services } from './service.ts'

const line = object({ article: text, count: number, price: number, discount: number })
const entered = object({ ${fields.map((field) => `${field}: text`).join(', ')}, lines: list(line) })
const moved = object({ state: text })

/** A ${one} as it is sent: amounts have their currency. */
function toAnswer(${one}: ${type}): object {
  const { id, state, changedAt, lines } = ${one}
  return { id, state, changedAt, lines, amount: { cents: amountOf(${one}), currency: 'EUR' } }
}

export function ${one}Routes(services: ${type}Services): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/${name}',
      async handle(request) {
        try {
          const { lines, ...given } = read(entered, request.body)
          const unpaid = lines.map((one) => ({ ...one, paid: null }))
          return { status: 201, body: toAnswer(await enter(services, request.idempotencyKey, { ...given, lines: unpaid })) }
        } catch (error) {
          return answerFor(error)
        }
      },
    },
    {
      method: 'POST',
      path: '/${name}/:id/state',
      async handle(request) {
        try {
          const { state } = read(moved, request.body)
          return { status: 200, body: toAnswer(await advance(services, request.parameters.id, state as '${states[0]}')) }
        } catch (error) {
          return answerFor(error)
        }
      },
    },
    {
      method: 'GET',
      path: '/${name}',
      async handle(request) {
        const found = await changedSince(services, request.query.since ?? '')
        return { status: 200, body: { items: found.map(toAnswer), next: found.at(-1)?.changedAt ?? null } }
      },
    },
  ]
}
`
}

function testOf({ name, one, fields, states }: Area): string {
  const type = typeOf(one)
  const given = fields.map((field) => `${field}: '${field}-1'`).join(', ')
  return `import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countedIds, fixedClock } from '../src/testing.ts'
import { memoryStorage } from '../src/storage/memory.ts'
import { advance, amountOf, amountOfLine, changedSince, enter, ${type}StateError } from '../src/${name}/service.ts'

const services = () => ({ storage: memoryStorage(), clock: fixedClock('2026-11-02T09:00:00Z'), ids: countedIds() })
const tea = { article: 'Assam, 100 g', count: 3, price: 749, discount: 0, paid: null }
const pot = { article: 'Pot, 0.8 l', count: 1, price: 2995, discount: 15, paid: null }

describe('enter', () => {
  it('gives the same ${one} for the same key', async () => {
    const shop = services()
    const first = await enter(shop, 'key-1', { ${given}, lines: [tea] })
    const second = await enter(shop, 'key-1', { ${given}, lines: [tea] })
    assert.deepEqual(second, first)
  })

  it('begins as ${states[0]}', async () => {
    const { state, version } = await enter(services(), 'key-1', { ${given}, lines: [] })
    assert.deepEqual({ state, version }, { state: '${states[0]}', version: 1 })
  })
})

describe('advance', () => {
  it('moves on by one state', async () => {
    const shop = services()
    const { id } = await enter(shop, 'key-1', { ${given}, lines: [tea] })
    assert.equal((await advance(shop, id, '${states[1]}')).state, '${states[1]}')
  })

  it('refuses to leave a state out', async () => {
    const shop = services()
    const { id } = await enter(shop, 'key-1', { ${given}, lines: [tea] })
    await assert.rejects(advance(shop, id, '${states.at(-1)}'), ${type}StateError)
  })
})

describe('amountOfLine', () => {
  it('rounds a line once, after its discount', () => {
    assert.equal(amountOfLine(pot), 2546)
  })

  it('does not compute what is paid', () => {
    assert.equal(amountOfLine({ ...pot, price: 3495, paid: 2546 }), 2546)
  })
})

describe('amountOf', () => {
  it('is the sum of the rounded lines', () => {
    assert.equal(amountOf({ lines: [tea, pot] }), 4793)
  })
})

describe('changedSince', () => {
  it('finds what was changed at that instant, and after it', async () => {
    const shop = services()
    const entered = await enter(shop, 'key-1', { ${given}, lines: [tea] })
    assert.deepEqual(await changedSince(shop, '2026-11-02T09:00:00Z'), [entered])
    assert.deepEqual(await changedSince(shop, '2026-11-02T09:00:01Z'), [])
  })
})
`
}

const rounding = `/** The only place that divides an amount. Everything is in whole cents. */

/** Rounds half away from zero, once per line. */
export function roundLine(cents: number): number {
  return Math.sign(cents) * Math.round(Math.abs(cents))
}

/** A share of an amount. A share of a share is two roundings: compute it from the whole. */
export function shareOf(cents: number, percent: number): number {
  if (percent < 0 || percent > 100) throw new RangeError(\`\${percent} is no percentage\`)
  return roundLine((cents * percent) / 100)
}
`

const changelog = `# Changes

## 2026-11-27

- The till shows why a coupon was not taken.
- Receipts in Dutch have the comma where it belongs.

## 2026-11-20

- A parcel that came back can be entered without its label.
- Invoices of gift cards say that no tax is in them.

## 2026-11-13

- Orders with two coupons take the one that is worth more.
- Letters name the day of delivery in the language of the customer.
`
