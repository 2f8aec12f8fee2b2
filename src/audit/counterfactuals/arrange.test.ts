import { describe, expect, it } from 'vitest'
import { arrange, type Arrangement, type Standing } from './arrange.ts'
import type { Slot } from './slots.ts'

/** A slot that is known by a letter; capital ones are held. */
function slot(name: string, section = 'messages'): Slot {
  return { block: { text: name, section }, held: name !== name.toLowerCase() } as unknown as Slot
}

/** `before` as letters; what only the frozen request has is behind a dash. */
function before(...names: readonly string[]): readonly Standing[] {
  let origin = 0
  return names.map((name) =>
    name.startsWith('-') ? { slot: slot(name.slice(1)), origin: -1 } : { slot: slot(name), origin: origin++ },
  )
}

function arranged(over: Partial<Arrangement> & Pick<Arrangement, 'before' | 'slots'>): string {
  const became = over.before.map(({ slot: { block } }) =>
    over.slots.findIndex((one) => one?.block.text?.toLowerCase() === block.text?.toLowerCase()),
  )
  const stays = over.before.map(({ origin }) => origin < 0)
  return arrange({ became, stays, apart: new Set(), ...over })
    .map(({ slot: { block }, origin }) => `${block.text}${origin < 0 ? '-' : ''}`)
    .join(' ')
}

const slots = (...names: readonly (string | null)[]): (Slot | null)[] =>
  names.map((name) => (name === null ? null : slot(name)))

describe('arrange', () => {
  it('is the order of the turn where nothing is held', () => {
    expect(arranged({ before: before('a', 'b', 'c'), slots: slots('c', 'a', 'd', 'b') })).toBe('c a d b')
  })

  it('leaves out what the frozen request has nothing of', () => {
    expect(arranged({ before: before('a'), slots: slots('a', null, 'b') })).toBe('a b')
  })

  it('puts what is held where it was, behind what it stood behind', () => {
    expect(arranged({ before: before('a', 'b', 'c'), slots: slots('C', 'a', 'b', 'd') })).toBe('a b C d')
    expect(arranged({ before: before('c', 'a', 'b'), slots: slots('a', 'b', 'C') })).toBe('C a b')
  })

  it('keeps what only the frozen request has behind the same segment, several in their order', () => {
    expect(arranged({ before: before('a', '-u', '-v', 'b'), slots: slots('a', 'b', 'c') })).toBe('a u- v- b c')
    expect(arranged({ before: before('-u', 'a'), slots: slots('a', 'b') })).toBe('u- a b')
  })

  it('lets go of it where all around it is gone, as after a compaction', () => {
    expect(arranged({ before: before('a', 'b', '-u', 'c', 'd'), slots: slots('s', 'd') })).toBe('s d')
    expect(arranged({ before: before('a', 'b', '-u', 'c', 'd'), slots: slots('s', 'c', 'd') })).toBe(
      's u- c d'.replace('s u-', 'u- s'),
    )
  })

  it('keeps what is taken out on this very turn, whatever is around it', () => {
    expect(arranged({ before: before('a', 'b'), slots: slots('s'), stays: [true, false] })).toBe('a- s')
  })

  it('leaves what is put in by itself out', () => {
    expect(arranged({ before: before('a'), slots: slots('a', 'B'), apart: new Set([1]) })).toBe('a')
  })
})
