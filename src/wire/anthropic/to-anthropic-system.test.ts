import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinSystemPrompt, splitSystemPrompt, SYSTEM_PROMPT_BOUNDARY } from '../../prompt/index.ts'
import { toAnthropicSystem } from './index.ts'

describe('toAnthropicSystem', () => {
  it.each([
    ['both halves', joinSystemPrompt('Static.', 'Dynamic.'), ['*Static.', '\n\nDynamic.']],
    ['no marker', 'Static.', ['*Static.']],
    ['no static half', joinSystemPrompt('', 'Dynamic.'), ['Dynamic.']],
    ['a blank static half', joinSystemPrompt(' \n', 'Dynamic.'), ['Dynamic.']],
    ['a blank dynamic half', joinSystemPrompt('Static.', '\n'), ['*Static.']],
    ['nothing', '', []],
    ['a lone marker', SYSTEM_PROMPT_BOUNDARY, []],
    ['a second marker', `A${SYSTEM_PROMPT_BOUNDARY}B${SYSTEM_PROMPT_BOUNDARY}C`, ['*A', '\n\nB\n\nC']],
  ])('makes a marked static block and an unmarked dynamic one: %s', (_, system, expected) => {
    const blocks = toAnthropicSystem(system)
    expect(blocks.map(({ text, cache_control: mark }) => (mark ? `*${text}` : text))).toEqual(expected)
  })

  it('keeps the bytes of the static block, whatever becomes of the dynamic half', () => {
    const piece = fc.oneof(fc.string(), fc.constantFrom(SYSTEM_PROMPT_BOUNDARY, '\n\n', ' '))
    const text = fc.array(piece).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, text, text, (start, one, other) => {
        const fixed = splitSystemPrompt(start).static
        fc.pre(fixed.trim() !== '')
        const [first] = toAnthropicSystem(joinSystemPrompt(fixed, one))
        expect(toAnthropicSystem(joinSystemPrompt(fixed, other))[0]).toEqual(first)
        expect(first?.text).toBe(fixed)
      }),
    )
  })

  it('lets no marker and no blank block through', () => {
    const piece = fc.oneof(fc.string(), fc.constantFrom(SYSTEM_PROMPT_BOUNDARY, '\n\n', '__ZIDANE_SYSTEM_PROMPT_'))
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('')),
        (system) => {
          for (const { text } of toAnthropicSystem(system)) {
            expect(text).not.toContain(SYSTEM_PROMPT_BOUNDARY)
            expect(text.trim()).not.toBe('')
          }
        },
      ),
    )
  })
})
