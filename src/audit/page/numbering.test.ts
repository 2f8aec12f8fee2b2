import { describe, expect, it } from 'vitest'
import { report, rewritten, stream, turn } from '../../cli/audit/print/test-report.ts'
import { dollars } from '../words/unit.ts'
import { numberingOf, turnsInWords } from './numbering.ts'

const cheap = stream([turn(0, 'first'), turn(4, 'appended')], { id: 'cheap' })
const dear = stream(
  [1, 2, 3, 5, 6, 8].map((index) => rewritten(index, 9000)),
  { id: 'dear' },
)
const numbering = numberingOf(report({ streams: [cheap, dear] }), [], dollars)

describe('numbers', () => {
  it('begin with the conversation that lost most, and with its first turn', () => {
    expect(numbering.streams.map(({ id }) => id)).toEqual(['dear', 'cheap'])
    expect(numbering.places.get(4)).toEqual({ conversation: 2, turn: 2 })
  })

  it('of turns are told as runs', () => {
    expect(turnsInWords([1, 2, 3, 8], numbering)).toBe('conversation 1: turns 1 to 3, 6')
    expect(turnsInWords([2, 1, 0], numbering)).toBe('conversation 1: turns 1, 2; conversation 2: turn 1')
    expect(turnsInWords([999], numbering)).toBe('')
  })

  it('of many turns are told as far as a reader goes', () => {
    const turns = Array.from({ length: 500 }, (_, index) => turn(index, 'appended'))
    const even = turns.map(({ index }) => index).filter((index) => index % 2 === 0)
    const words = turnsInWords(even, numberingOf(report({ streams: [stream(turns)] }), [], dollars))
    expect(words).toMatch(/^conversation 1: turns 1, 3, .*, 79 … \(250 turns in all\)$/)
  })
})
