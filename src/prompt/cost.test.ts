/**
 * The cost of the prompt functions, counted instead of timed: while one of them runs, every method of `String.prototype`
 * reports itself and the length of the text it was called on.
 */
import { describe, expect, it } from 'vitest'
import {
  appendDynamicSection,
  appendStaticSection,
  escapeSystemPromptBoundary,
  hasSystemPromptBoundary,
  renderSystemForWire,
  replaceDynamicSection,
  splitSystemPrompt,
  SYSTEM_PROMPT_BOUNDARY as MARKER,
} from './index.ts'

interface Call {
  readonly method: string
  readonly length: number
}

const { prototype } = String

function callsOf(run: () => unknown): readonly Call[] {
  const calls: Call[] = []
  const originals = Object.entries(Object.getOwnPropertyDescriptors(prototype)).filter(
    ([name, descriptor]) => name !== 'constructor' && typeof descriptor.value === 'function',
  )
  for (const [method, original] of originals) {
    const value = function (this: string, ...args: readonly unknown[]): unknown {
      calls.push({ method, length: this.length })
      return Reflect.apply(original.value, this, args)
    }
    Object.defineProperty(prototype, method, { ...original, value })
  }
  try {
    run()
  } finally {
    for (const [method, original] of originals) Object.defineProperty(prototype, method, original)
  }
  return calls
}

describe('a prompt without a marker', () => {
  const system = 'You review code.\n\n'.repeat(1000)

  it('is split with one search, and nothing is cut or copied', () => {
    expect(callsOf(() => splitSystemPrompt(system))).toEqual([{ method: 'indexOf', length: system.length }])
  })

  it('is rendered with one search, and nothing is cut or copied', () => {
    expect(callsOf(() => renderSystemForWire(system))).toEqual([{ method: 'includes', length: system.length }])
  })
})

describe('the work', () => {
  const markers = 2000
  const shapes: readonly (readonly [string, string])[] = [
    ['markers only', MARKER.repeat(markers)],
    ['overlapping markers only', `__${MARKER.slice(2).repeat(markers)}`],
    ['markers and blank lines', `${MARKER}\n\n`.repeat(markers)],
    ['markers nested at their middle', MARKER.slice(0, 12).repeat(markers) + MARKER + MARKER.slice(12).repeat(markers)],
    ['markers nested at their last character', MARKER.slice(0, -1).repeat(markers) + MARKER + '_'.repeat(markers)],
    ['markers nested at their first character', '_'.repeat(markers) + MARKER + MARKER.slice(1).repeat(markers)],
    ['markers that each stand inside another', (MARKER.slice(0, 12) + MARKER + MARKER.slice(12)).repeat(markers)],
    ['markers that lack their last character', MARKER.slice(0, -1).repeat(markers)],
    ['underscores only', '_'.repeat(MARKER.length * markers)],
    ['blank lines only', '\n'.repeat(MARKER.length * markers)],
  ]

  it.each(shapes)('grows with the length of the text: %s', (_shape, system) => {
    for (const run of [
      () => hasSystemPromptBoundary(system),
      () => splitSystemPrompt(system),
      () => appendStaticSection(system, 'extra'),
      () => appendDynamicSection(system, 'extra'),
      () => replaceDynamicSection(system, 'next'),
      () => renderSystemForWire(system),
      () => escapeSystemPromptBoundary(system),
    ]) {
      const calls = callsOf(run)
      // At most two searches, and four looks at what lies between the markers.
      expect(calls.reduce((sum, call) => sum + call.length, 0)).toBeLessThanOrEqual(6 * system.length)
      expect(calls.length).toBeLessThanOrEqual(4 * (markers + 2))
    }
  })
})
