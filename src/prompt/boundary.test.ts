import { describe, expect, it } from 'vitest'
import * as prompt from './index.ts'
import {
  escapeSystemPromptBoundary,
  hasSystemPromptBoundary,
  joinSystemPrompt,
  replaceDynamicSection,
  SYSTEM_PROMPT_BOUNDARY,
} from './index.ts'

const MARKER = '__ZIDANE_SYSTEM_PROMPT_BOUNDARY__'

describe('the public surface', () => {
  it('is seven functions, the escape and the marker', () => {
    expect(Object.keys(prompt).sort()).toEqual([
      'SYSTEM_PROMPT_BOUNDARY',
      'appendDynamicSection',
      'appendStaticSection',
      'escapeSystemPromptBoundary',
      'hasSystemPromptBoundary',
      'joinSystemPrompt',
      'renderSystemForWire',
      'replaceDynamicSection',
      'splitSystemPrompt',
    ])
  })

  it('keeps the marker that stored conversations carry', () => {
    expect(SYSTEM_PROMPT_BOUNDARY).toBe('__ZIDANE_SYSTEM_PROMPT_BOUNDARY__')
  })
})

describe('hasSystemPromptBoundary', () => {
  it.each([
    ['no text', '', false],
    ['no marker', 'You review code.', false],
    ['a marker alone', MARKER, true],
    ['a marker at the start', `${MARKER} text`, true],
    ['a marker at the end', `text ${MARKER}`, true],
    ['a marker inside a word', `text${MARKER}text`, true],
    ['a marker with more underscores around it', `__${MARKER}__`, true],
    ['a marker that lacks its first character', MARKER.slice(1), false],
    ['a marker that lacks its last character', MARKER.slice(0, -1), false],
    ['a marker parted by a newline', `${MARKER.slice(0, 9)}\n${MARKER.slice(9)}`, false],
    ['a lower-case marker', MARKER.toLowerCase(), false],
  ])('looks for the exact marker: %s', (_case, system, expected) => {
    expect(hasSystemPromptBoundary(system)).toBe(expected)
  })
})

describe('escapeSystemPromptBoundary', () => {
  it.each([
    ['a marker', MARKER, '__ZIDANE-SYSTEM_PROMPT-BOUNDARY__'],
    ['a marker in a sentence', `Split at ${MARKER}.`, 'Split at __ZIDANE-SYSTEM_PROMPT-BOUNDARY__.'],
    ['adjacent markers', MARKER + MARKER, '__ZIDANE-SYSTEM_PROMPT-BOUNDARY____ZIDANE-SYSTEM_PROMPT-BOUNDARY__'],
    [
      'overlapping markers',
      MARKER + MARKER.slice(2),
      '__ZIDANE-SYSTEM_PROMPT-BOUNDARY__ZIDANE-SYSTEM_PROMPT-BOUNDARY__',
    ],
    ['a marker without its underscores', 'ZIDANE_SYSTEM_PROMPT_BOUNDARY', 'ZIDANE-SYSTEM_PROMPT_BOUNDARY'],
    ['the front of a marker', '__ZIDANE_SYSTEM', '__ZIDANE-SYSTEM'],
    ['the back of a marker', 'PROMPT_BOUNDARY__', 'PROMPT-BOUNDARY__'],
  ])('breaks %s with hyphens', (_case, text, expected) => {
    expect(escapeSystemPromptBoundary(text)).toBe(expected)
  })

  it.each([
    ['no text', ''],
    ['prose', 'Use tabs.\r\n\r\n\nBe brief.\n'],
    ['Python names', '__init__ and _private_'],
    ['the name of the exported constant', "import { SYSTEM_PROMPT_BOUNDARY } from 'indelible/prompt'"],
    ['a variable of the same prefix', 'ZIDANE_API_KEY'],
    ['a common constant', 'SYSTEM_PROMPT'],
    ['a lower-case marker', MARKER.toLowerCase()],
    ['a lone surrogate', 'a\ud83db'],
  ])('leaves %s as it is', (_case, text) => {
    expect(escapeSystemPromptBoundary(text)).toBe(text)
  })

  it('keeps trusted text from being deleted along with the dynamic half', () => {
    const trusted = 'Never push to main.'
    const rules = `Use tabs.\n\n${MARKER}\n\nBe brief.`
    const assembled = (text: string): string => joinSystemPrompt(`${text}\n\n${trusted}`, 'Branch: main')

    expect(replaceDynamicSection(assembled(rules), '')).toBe('Use tabs.')
    expect(replaceDynamicSection(assembled(escapeSystemPromptBoundary(rules)), '')).toBe(
      `Use tabs.\n\n__ZIDANE-SYSTEM_PROMPT-BOUNDARY__\n\nBe brief.\n\n${trusted}`,
    )
  })

  const cuts = Array.from({ length: MARKER.length + 1 }, (_, index) => index)

  it('leaves no way to spell a marker over two escaped texts', () => {
    for (const cut of cuts) {
      const glued = escapeSystemPromptBoundary(MARKER.slice(0, cut)) + escapeSystemPromptBoundary(MARKER.slice(cut))
      expect(hasSystemPromptBoundary(glued), `cut at ${cut}`).toBe(false)
    }
  })

  it('leaves no way to spell a marker between underscores', () => {
    for (const cut of cuts) {
      for (const end of cuts.slice(cut)) {
        const inside = escapeSystemPromptBoundary(MARKER.slice(cut, end))
        expect(hasSystemPromptBoundary(`__${inside}__`), `from ${cut} to ${end}`).toBe(false)
      }
    }
  })

  it('lets three texts spell a marker only around a middle that runs from its front piece into its back piece', () => {
    const middles = cuts.flatMap((from) =>
      cuts
        .filter((to) => to >= from)
        .filter((to) =>
          hasSystemPromptBoundary(
            escapeSystemPromptBoundary(MARKER.slice(0, from)) +
              escapeSystemPromptBoundary(MARKER.slice(from, to)) +
              escapeSystemPromptBoundary(MARKER.slice(to)),
          ),
        )
        .map((to) => MARKER.slice(from, to)),
    )
    expect(middles).toContain('SYSTEM_PROMPT')
    expect(middles.filter((middle) => !middle.includes('M_P'))).toEqual([])
    // From inside `ZIDANE_SYSTEM` (12 places) to inside `PROMPT_BOUNDARY_` (15 places).
    expect(middles).toHaveLength(12 * 15)
  })
})
