import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wordDifference } from './word-difference.ts'

function shown(first: string, second: string): string[] {
  return wordDifference(first, second).map(
    ({ before, after }) => `${first.slice(before.start, before.end)} > ${second.slice(after.start, after.end)}`,
  )
}

describe('wordDifference', () => {
  it('finds nothing in equal texts', () => {
    expect(wordDifference('', '')).toEqual([])
    expect(wordDifference('a text', 'a text')).toEqual([])
  })

  it('takes a time as one stretch, whatever of it differs', () => {
    expect(shown('It is 14:03:59 now.', 'It is 14:04:00 now.')).toEqual(['03:59 > 04:00'])
    expect(shown('at 23:59:59 on', 'at 00:00:00 on')).toEqual(['23:59:59 > 00:00:00'])
  })

  it('finds two changes with a long text between them', () => {
    const text = 'The rules of the house are these, and nobody may change them.\n'.repeat(200)
    expect(shown(`Time: 14:03\n${text}Step 7`, `Time: 14:04\n${text}Step 8`)).toEqual(['03 > 04', '7 > 8'])
  })

  it('does not mistake an inserted line for a change of all that follows', () => {
    expect(shown('one\ntwo\nthree\nfour', 'one\nnew\ntwo\nthree\nfive')).toEqual([' > new\n', 'four > five'])
  })

  it.each([
    ['- a\n- c\n', '- a\n- b\n- c\n', ' > - b\n'],
    ['Do it.\nEnd.\n', 'Do it.\nMake it so.\nEnd.\n', ' > Make it so.\n'],
    ['is long.\nEnd', 'is long.\nIt is out.\nEnd', ' > It is out.\n'],
    ['a\n</b>\n\n<b>\nc\n</b>', 'a\n</b>', '\n\n<b>\nc\n</b> > '],
  ])('takes whole lines and paragraphs that came or went (%j, %j)', (first, second, expected) => {
    expect(shown(first, second).map((one) => one.replace(/^ > \n(.*)$/, ' > $1\n'))).toEqual([expected])
  })

  it('takes a sentence that was written anew as one, whatever words both have', () => {
    expect(
      shown(
        'at e92f.\nThe git work tree is clean.\nEnd',
        'at c4da.\nChanged or untracked paths (from the top of the work tree, by `git status`)\nEnd',
      ),
    ).toEqual([
      'e92f > c4da',
      'The git work tree is clean. > Changed or untracked paths (from the top of the work tree, by `git status`)',
    ])
  })

  it('keeps values apart that a label or a line parts, however long', () => {
    expect(
      shown(
        'Mode: read these files only, Plan: make less of that',
        'Mode: write what you want, Plan: it should grow soon',
      ),
    ).toHaveLength(2)
    expect(shown('one two three four\nx\nfive six seven eight', 'a bc de fg hi\nx\njk lm no pq')).toHaveLength(2)
  })

  it('keeps a word and the number beside it apart', () => {
    expect(shown('on main 14:03', 'on dev 15:04')).toEqual(['main > dev', '14:03 > 15:04'])
  })

  it('finds a number in a sentence without spaces', () => {
    expect(shown('現在は14時03分です', '現在は14時04分です')).toEqual(['03 > 04'])
    expect(shown('เวลา๑๔นาฬิกา', 'เวลา๑๕นาฬิกา')).toEqual(['๑๔ > ๑๕'])
  })

  it('does not take the escape of a line end in JSON for part of a word', () => {
    expect(shown('{"a":"x\\nmain"}', '{"a":"x\\ndev"}')).toEqual(['main > dev'])
  })

  it('never parts the halves of a character', () => {
    expect(shown('id 🦊🐙', 'id 🦊🌵')).toEqual(['🦊🐙 > 🦊🌵'])
  })

  it('leads from the one text to the other, by stretches that do not touch', () => {
    const word = fc.constantFrom('a', 'b', '7', ' ', '\n', ':', 'word', 'ü', '🦊', '今', '"', '}')
    const text = fc.array(word, { maxLength: 60 }).map((words) => words.join(''))
    fc.assert(
      fc.property(text, text, text, text, (start, first, second, end) => {
        const [one, other] = [start + first + end, start + second + end]
        let made = ''
        let [at, reached] = [0, -1]
        for (const { before, after } of wordDifference(one, other)) {
          expect(before.start).toBeGreaterThan(reached)
          expect(one.slice(before.start, before.end)).not.toBe(other.slice(after.start, after.end))
          made += one.slice(at, before.start) + other.slice(after.start, after.end)
          at = before.end
          reached = before.end
        }
        expect(made + one.slice(at)).toBe(other)
      }),
      { numRuns: 100 },
    )
  })

  it('takes texts that have nothing in common as one stretch, however long', () => {
    const [first, second] = ['a,'.repeat(100_000), 'b.'.repeat(90_000)]
    expect(wordDifference(first, second)).toEqual([
      { before: { start: 0, end: first.length }, after: { start: 0, end: second.length } },
    ])
  })
})
