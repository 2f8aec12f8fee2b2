import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSimulator } from './create-simulator.ts'

const character = fc.constantFrom('a', 'b')
const text = fc.array(character, { minLength: 1, maxLength: 12 }).map((characters) => characters.join(''))

function common(one: string, other: string): number {
  let index = 0
  while (index < one.length && one[index] === other[index]) index++
  return index
}

it('agrees with whichever earlier request began alike the longest', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 30 }), fc.integer({ min: 1, max: 40 }), (texts, room) => {
      // One token a character, so that what is read says how far two texts agree.
      const simulator = createSimulator({
        provider: 'sglang',
        countTokens: ({ length }) => length,
        capacity: room * 12,
      })
      const unlimited = createSimulator({ provider: 'sglang', countTokens: ({ length }) => length })
      for (const [index, content] of texts.entries()) {
        const body = { model: 'm', messages: [{ role: 'user', content }] }
        const expected = Math.max(0, ...texts.slice(0, index).map((earlier) => common(earlier, content)))
        const { read } = unlimited.send(body).usage
        expect(read).toBe(Math.min(expected, content.length - 1))
        expect(simulator.send(body).usage.read).toBeLessThanOrEqual(read)
      }
    }),
  )
})
