import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  appendDynamicSection,
  appendStaticSection,
  escapeSystemPromptBoundary,
  hasSystemPromptBoundary,
  joinSystemPrompt,
  renderSystemForWire,
  replaceDynamicSection,
  splitSystemPrompt,
  SYSTEM_PROMPT_BOUNDARY as MARKER,
} from './index.ts'

const cut = fc.integer({ min: 0, max: MARKER.length })
const ordinary = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('\n', '\n\n', '\r\n', '\r\n\r\n', '_', '__', ' ', 'word', '\ud83d', MARKER.toLowerCase()),
)
const piece = fc.tuple(cut, cut).map(([from, to]) => MARKER.slice(Math.min(from, to), Math.max(from, to)))
const nested = fc
  .array(cut, { minLength: 1, maxLength: 5 })
  .map((cuts) => cuts.reduce((inner, at) => MARKER.slice(0, at) + inner + MARKER.slice(at), MARKER))
const overlapping = fc.integer({ min: 2, max: 4 }).map((times) => MARKER + MARKER.slice(2).repeat(times - 1))

/** Text built from whole markers, nested and overlapping ones, pieces of markers, newlines and anything else. */
const text = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: ordinary },
      { weight: 2, arbitrary: piece },
      { weight: 2, arbitrary: fc.constant(MARKER) },
      { weight: 1, arbitrary: nested },
      { weight: 1, arbitrary: overlapping },
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))
const nonEmpty = text.filter((candidate) => candidate !== '')

/** Text from the same parts in which no whole marker stands. */
const markerFree = fc
  .array(fc.oneof(ordinary, piece), { maxLength: 8 })
  .map((parts) => parts.join(''))
  .filter((candidate) => !hasSystemPromptBoundary(candidate))

/** One marker cut in two or three, so that gluing the pieces would spell it, with anything outside of them. */
const shards = fc
  .tuple(markerFree, cut, cut, markerFree)
  .map(([before, one, other, after]): [string, string, string] => {
    const [from, to] = [Math.min(one, other), Math.max(one, other)]
    return [before + MARKER.slice(0, from), MARKER.slice(from, to), MARKER.slice(to) + after]
  })

const withRuns = { numRuns: 1000 }
const sections = (...texts: readonly string[]): string => texts.filter((section) => section !== '').join('\n\n')

describe('the halves of a system prompt', () => {
  it('come back from a join as they went in', () => {
    fc.assert(
      fc.property(markerFree, nonEmpty, (fixed, dynamic) => {
        expect(splitSystemPrompt(joinSystemPrompt(fixed, dynamic))).toEqual({ static: fixed, dynamic })
      }),
      withRuns,
    )
  })

  it('part at the first marker, less one blank line on each side of it', () => {
    fc.assert(
      fc.property(text, (system) => {
        const parts = splitSystemPrompt(system)
        expect(hasSystemPromptBoundary(parts.static)).toBe(false)
        const spacings = ['', '\n\n'].flatMap((before) => ['', '\n\n'].map((after) => before + MARKER + after))
        const spelled = spacings.map((spacing) => parts.static + spacing + parts.dynamic)
        expect(hasSystemPromptBoundary(system) ? spelled : [parts.static]).toContain(system)
      }),
      withRuns,
    )
  })

  it('keep the static bytes while the dynamic half is turned on and off', () => {
    fc.assert(
      fc.property(text, nonEmpty, nonEmpty, (system, one, other) => {
        const fixed = splitSystemPrompt(system).static
        const on = replaceDynamicSection(system, one)
        const off = replaceDynamicSection(on, '')
        const onAgain = appendDynamicSection(off, other)
        expect(splitSystemPrompt(on)).toEqual({ static: fixed, dynamic: one })
        expect(off).toBe(fixed)
        expect(splitSystemPrompt(onAgain)).toEqual({ static: fixed, dynamic: other })
      }),
      withRuns,
    )
  })

  it('are replaced once or twice with the same result', () => {
    fc.assert(
      fc.property(text, text, (system, next) => {
        const once = replaceDynamicSection(system, next)
        expect(replaceDynamicSection(once, next)).toBe(once)
      }),
      withRuns,
    )
  })

  it('grow one at a time', () => {
    fc.assert(
      fc.property(text, markerFree, (system, extra) => {
        const { static: fixed, dynamic } = splitSystemPrompt(system)
        expect(splitSystemPrompt(appendStaticSection(system, extra))).toEqual({
          static: sections(fixed, extra),
          dynamic,
        })
        expect(splitSystemPrompt(appendDynamicSection(system, extra))).toEqual({
          static: fixed,
          dynamic: sections(dynamic, extra),
        })
      }),
      withRuns,
    )
  })
})

describe('a rendered system prompt', () => {
  it('lets no marker through and is rendered once or twice with the same result', () => {
    fc.assert(
      fc.property(text, (system) => {
        const rendered = renderSystemForWire(system)
        expect(hasSystemPromptBoundary(rendered)).toBe(false)
        expect(renderSystemForWire(rendered)).toBe(rendered)
      }),
      withRuns,
    )
  })

  it('is the prompt itself when there is no marker', () => {
    fc.assert(
      fc.property(markerFree, (system) => {
        expect(renderSystemForWire(system)).toBe(system)
      }),
      withRuns,
    )
  })

  it('keeps every character but markers and blank lines', () => {
    fc.assert(
      fc.property(text, (system) => {
        const characters = system.split(MARKER).join('').replaceAll('\n', '')
        expect(renderSystemForWire(system).replaceAll('\n', '')).toBe(characters)
      }),
      withRuns,
    )
  })

  it('is the static half, a blank line and the rendered dynamic half', () => {
    fc.assert(
      fc.property(text, (system) => {
        const { static: fixed, dynamic } = splitSystemPrompt(system)
        expect(renderSystemForWire(system)).toBe(sections(fixed, renderSystemForWire(dynamic)))
      }),
      withRuns,
    )
  })
})

describe('an escaped text', () => {
  it('holds no marker, has the same length, and differs in hyphens for underscores only', () => {
    fc.assert(
      fc.property(text, (outside) => {
        const escaped = escapeSystemPromptBoundary(outside)
        expect(hasSystemPromptBoundary(escaped)).toBe(false)
        expect(escaped).toHaveLength(outside.length)
        expect(escaped.replaceAll('-', '_')).toBe(outside.replaceAll('-', '_'))
        expect(escapeSystemPromptBoundary(escaped)).toBe(escaped)
      }),
      withRuns,
    )
  })

  it('never moves the boundary, in whichever half it is used', () => {
    fc.assert(
      fc.property(text, text, (system, outside) => {
        const { static: fixed, dynamic } = splitSystemPrompt(system)
        const extra = escapeSystemPromptBoundary(outside)
        expect(splitSystemPrompt(appendStaticSection(system, extra))).toEqual({
          static: sections(fixed, extra),
          dynamic,
        })
        expect(splitSystemPrompt(appendDynamicSection(system, extra))).toEqual({
          static: fixed,
          dynamic: sections(dynamic, extra),
        })
        expect(replaceDynamicSection(appendStaticSection(system, extra), '')).toBe(sections(fixed, extra))
        expect(replaceDynamicSection(replaceDynamicSection(system, extra), '')).toBe(fixed)
      }),
      withRuns,
    )
  })

  it('spells no marker together with another escaped text', () => {
    const pair = fc.oneof(
      fc.tuple(text, text),
      shards.map(([before, middle, after]): [string, string] => [before + middle, after]),
    )
    fc.assert(
      fc.property(pair, ([left, right]) => {
        const glued = escapeSystemPromptBoundary(left) + escapeSystemPromptBoundary(right)
        expect(hasSystemPromptBoundary(glued)).toBe(false)
      }),
      withRuns,
    )
  })

  it('spells no marker between two escaped texts, unless it is a piece from the middle of the marker', () => {
    fc.assert(
      fc.property(fc.oneof(shards, fc.tuple(text, text, text)), ([left, outside, right]) => {
        const middle = escapeSystemPromptBoundary(outside)
        const glued = escapeSystemPromptBoundary(left) + middle + escapeSystemPromptBoundary(right)
        expect(hasSystemPromptBoundary(glued) && !(MARKER.includes(middle) && middle.includes('M_P'))).toBe(false)
      }),
      withRuns,
    )
  })
})
