import { describe, expect, it } from 'vitest'
import { createOutput, createPaint, wantsColors } from './output.ts'

describe('wantsColors', () => {
  it.each([
    ['a terminal', true, {}, true],
    ['a file', false, {}, false],
    ['a terminal with NO_COLOR', true, { NO_COLOR: '1' }, false],
    ['a terminal with an empty NO_COLOR, which is none', true, { NO_COLOR: '' }, true],
    ['a dumb terminal', true, { TERM: 'dumb' }, false],
    ['a file with FORCE_COLOR', false, { FORCE_COLOR: '1' }, true],
    ['a file with an empty FORCE_COLOR', false, { FORCE_COLOR: '' }, true],
    ['a terminal with FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
    ['a file with both, of which FORCE_COLOR wins', false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ])('is decided for %s', (_case, isTTY, environment, expected) => {
    expect(wantsColors({ isTTY }, environment)).toBe(expected)
  })
})

describe('createOutput', () => {
  it('writes to both streams, and makes messages printable', () => {
    const out: string[] = []
    const err: string[] = []
    const output = createOutput({ write: (text) => out.push(text) }, { write: (text) => err.push(text) }, {})
    output.write('\u001b[1mx\u001b[22m')
    output.writeError('no file \u001b[2J\u202ex\n')
    expect(out).toEqual(['\u001b[1mx\u001b[22m'])
    expect(err).toEqual(['no file x\n'])
  })

  it('shows what goes on in one line of a terminal, and nowhere else', () => {
    const err: string[] = []
    const terminal = createOutput({ write: () => true }, { isTTY: true, write: (text) => err.push(text) }, {})
    terminal.status?.('half\u001b[2J way\n')
    terminal.status?.('')
    expect(err).toEqual(['\r\u001b[Khalf way ', '\r\u001b[K'])
    expect(createOutput({ write: () => true }, { write: () => true }, {}).status).toBeUndefined()
  })
})

describe('createPaint', () => {
  it('colours text, but not nothing', () => {
    const paint = createPaint(true)
    expect(paint('green', 'x')).toBe('\u001b[32mx\u001b[39m')
    expect(paint('green', '')).toBe('')
  })

  it('leaves text as it is where there are no colours', () => {
    expect(createPaint(false)('red', 'x')).toBe('x')
  })
})
