import { describe, expect, it } from 'vitest'
import { categoryOf, coldReason, isHit, missClass } from './categories.ts'
import { stepOf, toleranceOf } from './steps.ts'
import { turnsOf, type Plan } from './test-turn.ts'

const long = 'x'.repeat(900)
const first: Plan = { texts: [long], write: 900, read: 0 }

function categories(plans: readonly Plan[]): (string | undefined)[] {
  const turns = turnsOf(plans)
  return turns.map((turn) => categoryOf(turn, turns))
}

function lastOf(plans: readonly Plan[]): NonNullable<ReturnType<typeof turnsOf>[number]> {
  const last = turnsOf(plans).at(-1)
  if (last === undefined) throw new Error('no turn')
  return last
}

describe('the category of a turn', () => {
  it('is cold for the first request, and warm for one that begins with it', () => {
    expect(categories([first, { texts: [long, 'more'], read: 900, write: 4 }])).toEqual(['cold', 'warm'])
  })

  it('is cold where nothing or too little was sent before', () => {
    const other = { texts: ['y'.repeat(900)], read: 0, write: 900 }
    const related = { texts: [`${'x'.repeat(90)}${'y'.repeat(810)}`], read: 0, write: 900 }
    expect(categories([first, other])).toEqual(['cold', 'cold'])
    expect(coldReason(lastOf([first, other]))).toBe('nothing earlier')
    expect(coldReason(lastOf([first, related]))).toBe('below the minimum')
    expect(coldReason(lastOf([first, { ...first, model: 'claude-opus-4-8' }]))).toBe('nothing earlier')
  })

  it('is cold where this request, or every one before it, is unmarked', () => {
    const again = { texts: [long, 'more'], read: 0, uncached: 904 }
    expect(coldReason(lastOf([first, { ...again, marked: false }]))).toBe('not marked')
    expect(coldReason(lastOf([{ ...first, marked: false, write: 0, uncached: 900 }, again]))).toBe('not marked')
  })

  it('is warm for a read that nobody can explain', () => {
    expect(categories([first, { texts: ['other'], read: 500 }])).toEqual(['cold', 'warm'])
  })

  it('is warm for a miss of the provider', () => {
    expect(categories([first, { texts: [long, 'more'], read: 0, write: 904 }])).toEqual(['cold', 'warm'])
  })

  it('is set apart for the whole of a stream whose first call reads', () => {
    const warmStart = { ...first, read: 900, write: 0 }
    expect(categories([warmStart, { texts: [long, 'more'], read: 900, write: 4 }])).toEqual([
      'starts-warm',
      'starts-warm',
    ])
  })

  it('is warm from the first call on where the recording shows how the cache was created', () => {
    const explicit = { ...first, read: 900, write: 0 }
    expect(categories([{ ...explicit, body: { cachedContent: 'own' } }])).toEqual(['warm'])
    expect(categories([{ ...explicit, body: { cachedContent: 'unknown' } }])).toEqual(['starts-warm'])
    expect(categories([{ ...first, body: { cachedContent: 'own' } }])).toEqual(['warm'])
  })

  it('follows the streams of the table', () => {
    const row = { divergesAt: '', total: 900, read: undefined, write: undefined, output: 1 }
    const turns = turnsOf(
      [{ ...first, read: 900, write: 0 }, first, { texts: [long, 'more'], read: 900 }],
      [
        { ...row, call: 0, previous: undefined },
        { ...row, call: 1, previous: undefined },
        { ...row, call: 2, previous: 1 },
      ],
    )
    expect(turns.map((turn) => categoryOf(turn, turns))).toEqual(['starts-warm', 'warm', 'warm'])
  })

  it('is its own for an answer without usage', () => {
    expect(categories([{ texts: [long], uncached: null }])).toEqual(['without-usage'])
  })
})

describe('a prediction', () => {
  it('is right within 1 % of the report, 16 tokens or the step of the provider, whichever is largest', () => {
    expect(toleranceOf(10_000, 1)).toBe(100)
    expect(toleranceOf(1000, 1)).toBe(16)
    expect(toleranceOf(1000, 128)).toBe(128)
  })

  it.each([
    ['openai', 'gpt-4o-mini', 128],
    ['openai', 'gpt-5.5', 128],
    ['openai', 'gpt-5.6-sol', 1],
    ['openai', 'gpt-6.2-astra', 1],
    ['openrouter', 'openai/gpt-4o-mini', 128],
    ['openrouter', 'anthropic/claude-sonnet-4.6', 1],
    ['anthropic', 'claude-sonnet-4-6', 1],
    ['deepseek', 'deepseek-chat', 64],
    ['generic', 'qwen', 1],
  ])('of %s for %s may be off by a step of %i', (provider, model, tokens) => {
    expect(stepOf(provider, model)).toBe(tokens)
  })

  it('hits to the token at the end of the tolerance, and misses one further', () => {
    const read = { texts: [long], read: 900 }
    expect(isHit(lastOf([{ ...read, predicted: 916 }]))).toBe(true)
    expect(isHit(lastOf([{ ...read, predicted: 917 }]))).toBe(false)
  })

  it.each([
    [0, 900, [0, 900], 'not read, though it was stored'],
    [500, 900, [0, 900], 'read less, within the stated range'],
    [500, 900, [900, 900], 'read less than the stated range'],
    [900, 500, [0, 900], 'read more, within the stated range'],
    [900, 500, [0, 500], 'read more than the stated range'],
    [900, 0, [0, 0], 'read, where nothing was predicted'],
  ] as const)('that says %2$i where %1$i are read has a name', (read, predicted, range, name) => {
    expect(missClass(lastOf([{ texts: [long], read, predicted, range }]))).toBe(name)
  })
})
