/** The history of the repository that the demo makes: a small shop, in three commits. */

/** One commit, and the files that it adds or changes. */
export interface HistoryCommit {
  readonly subject: string
  readonly name: string
  /** ISO 8601. */
  readonly at: string
  readonly files: Readonly<Record<string, string>>
}

const readme = `# Shop

The part of the shop that knows what a cart costs. It has no dependencies and talks to nobody: carts come in as plain
objects, totals go out as numbers.

    import { totalOf } from './src/cart.js'

    totalOf({ lines: [{ name: 'Tea', cents: 450, count: 2 }], discount: 10 })

Run the tests with "node --test".
`

const packageFile = `{
  "name": "shop",
  "version": "0.3.0",
  "private": true,
  "type": "module",
  "scripts": { "test": "node --test" }
}
`

const agents = `# Working on the shop

- Amounts are whole cents. A fraction of a cent is a bug, wherever it shows up.
- Prices are rounded once, per line, half away from zero, and only in src/price.js.
- A discount is a percentage from 0 to 100. It applies to lines, never to shipping.
- Every function that is exported has a test with an amount that does not divide evenly.
- Commit subjects are in the imperative and at most 60 characters long.
`

const changelog = `# Changes

- 0.3.0: discounts
- 0.2.0: several of one item in a line
- 0.1.0: a cart has a total
`

const firstPrice = `/** What one line of a cart costs, in cents. */
export function priceOf({ cents, count }) {
  return cents * count
}
`

const price = `/**
 * What one line of a cart costs, in cents, after a discount in percent.
 *
 * Rounding happens here and nowhere else: once per line, half away from zero. A cart of many lines can therefore differ by
 * some cents from the discount on its sum, which is what the invoice has always shown.
 */
export function priceOf({ cents, count }, discount = 0) {
  if (!Number.isInteger(cents) || !Number.isInteger(count)) {
    throw new TypeError('A line needs whole cents and a whole count')
  }
  if (discount < 0 || discount > 100) {
    throw new RangeError('A discount is a percentage from 0 to 100')
  }
  const exact = (cents * count * (100 - discount)) / 100
  return Math.sign(exact) * Math.round(Math.abs(exact))
}
`

const firstCart = `import { priceOf } from './price.js'

/** What a cart costs, in cents. */
export function totalOf({ lines }) {
  return lines.reduce((sum, line) => sum + priceOf(line), 0)
}
`

const cart = `import { priceOf } from './price.js'

/** Orders from this amount on are sent for nothing, in cents. */
const FREE_SHIPPING_FROM = 5000

const SHIPPING = 490

/** What the lines of a cart cost together, in cents, after its discount. */
export function subtotalOf({ lines, discount = 0 }) {
  return lines.reduce((sum, line) => sum + priceOf(line, discount), 0)
}

/** What sending the cart costs, in cents. An empty cart is not sent. */
export function shippingOf(cart) {
  if (cart.lines.length === 0) return 0
  return subtotalOf(cart) >= FREE_SHIPPING_FROM ? 0 : SHIPPING
}

/** What a cart costs, in cents: its lines and its shipping. */
export function totalOf(cart) {
  return subtotalOf(cart) + shippingOf(cart)
}

/** The same cart with one more of an item, in a new line where there is none. */
export function add(cart, item) {
  const known = cart.lines.some((line) => line.name === item.name)
  const lines = known
    ? cart.lines.map((line) => (line.name === item.name ? { ...line, count: line.count + 1 } : line))
    : [...cart.lines, { ...item, count: 1 }]
  return { ...cart, lines }
}
`

const cartTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { add, shippingOf, subtotalOf, totalOf } from '../src/cart.js'

const tea = { name: 'Tea', cents: 450, count: 2 }
const honey = { name: 'Honey', cents: 799, count: 1 }

test('adds up its lines', () => {
  assert.equal(subtotalOf({ lines: [tea, honey] }), 1699)
})

test('rounds the discount per line', () => {
  assert.equal(subtotalOf({ lines: [tea, honey], discount: 15 }), 765 + 679)
})

test('ships for nothing above the limit', () => {
  assert.equal(shippingOf({ lines: [{ ...tea, count: 12 }] }), 0)
  assert.equal(shippingOf({ lines: [tea] }), 490)
})

test('charges nothing for an empty cart', () => {
  assert.equal(totalOf({ lines: [] }), 0)
})

test('counts an item that is there already', () => {
  assert.deepEqual(add({ lines: [tea] }, tea).lines, [{ ...tea, count: 3 }])
})
`

export const history: readonly HistoryCommit[] = [
  {
    subject: 'Give a cart a total',
    name: 'Ada',
    at: '2026-11-23T09:12:00Z',
    files: {
      'README.md': readme,
      'package.json': packageFile,
      'src/cart.js': firstCart,
      'src/price.js': firstPrice,
    },
  },
  {
    subject: 'Take a discount off each line',
    name: 'Grace',
    at: '2026-11-25T14:40:00Z',
    files: { 'CHANGELOG.md': changelog, 'src/cart.js': cart, 'src/price.js': price },
  },
  {
    subject: 'Test carts, and write down the rules',
    name: 'Ada',
    at: '2026-11-27T16:05:00Z',
    files: { 'AGENTS.md': agents, 'test/cart.test.js': cartTest },
  },
]
