import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printable, printableJson, printableLine } from './printable.ts'

// oxlint-disable-next-line no-control-regex
const ACTED_ON = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

describe('printable', () => {
  it.each([
    ['colours and cursor moves', 'a\u001b[31mred\u001b[2Jb', 'aredb'],
    ['a window title', '\u001b]0;owned\u0007x', 'x'],
    ['a link to elsewhere', '\u001b]8;;https://example.com\u0007click\u001b]8;;\u0007', 'click'],
    ['an escape without a sequence', 'a\u001b', 'a'],
    ['a sequence behind a single C1 control', 'a\u009b2Jb', 'ab'],
    ['carriage returns and backspaces', 'safe\rrm\b\b', 'saferm'],
    ['direction overrides and isolates', 'a\u202etxt.exe\u2066b\u2069', 'atxt.exeb'],
    ['invisible characters', 'a\u200bb\u2060c\ufeffd\u{e0041}e', 'abcde'],
    ['line separators that are no newline', 'a\u2028b\u0085c', 'abc'],
    ['NUL and DEL', 'a\u0000b\u007fc', 'abc'],
  ])('removes %s', (_case, text, expected) => {
    expect(printable(text)).toBe(expected)
  })

  it('keeps newlines, letters of any script and emoji, and turns a tab into a space', () => {
    expect(printable('Grüße,\tмир\n日本 👍')).toBe('Grüße, мир\n日本 👍')
  })

  it('leaves nothing that a terminal acts on, whatever it is given', () => {
    const unit = fc.oneof(
      fc.constantFrom('\u001b', '[', ']', '0', ';', 'm', '\u0007', '\u009b', '\u202e', '\r', '\n', '\\'),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.array(unit), (parts) => {
        expect(printable(parts.join(''))).not.toMatch(ACTED_ON)
      }),
    )
  })
})

describe('printableLine', () => {
  it('makes one line of several', () => {
    expect(printableLine('a  \n\n  b\nc')).toBe('a b c')
  })
})

describe('printableJson', () => {
  it('escapes what a terminal acts on, and means the same value', () => {
    const value = { text: 'a\u001b[2J\u009b\u202e\n' }
    const line = printableJson(value)
    expect(line).toBe('{"text":"a\\u001b[2J\\u009b\\u202e\\n"}\n')
    expect(JSON.parse(line)).toEqual(value)
  })
})
