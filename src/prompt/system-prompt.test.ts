import { describe, expect, it } from 'vitest'
import {
  appendDynamicSection,
  appendStaticSection,
  joinSystemPrompt,
  renderSystemForWire,
  replaceDynamicSection,
  splitSystemPrompt,
} from './index.ts'

const MARKER = '__ZIDANE_SYSTEM_PROMPT_BOUNDARY__'
const FRONT = MARKER.slice(0, 12)
const BACK = MARKER.slice(12)

describe('splitSystemPrompt', () => {
  it.each([
    ['no text', '', '', ''],
    ['no marker', 'static', 'static', ''],
    ['no marker, but blank lines around the text', '\n\nstatic\n\n', '\n\nstatic\n\n', ''],
    ['a spaced marker', `static\n\n${MARKER}\n\ndynamic`, 'static', 'dynamic'],
    ['a marker without spacing', `static${MARKER}dynamic`, 'static', 'dynamic'],
    ['a marker alone', MARKER, '', ''],
    ['a marker at the start', `${MARKER}\n\ndynamic`, '', 'dynamic'],
    ['a marker at the end', `static\n\n${MARKER}`, 'static', ''],
    ['a marker between blank lines only', `\n\n${MARKER}\n\n`, '', ''],
    ['one newline on each side', `static\n${MARKER}\ndynamic`, 'static\n', '\ndynamic'],
    ['three newlines on each side', `static\n\n\n${MARKER}\n\n\ndynamic`, 'static\n', '\ndynamic'],
    ['two blank lines on each side', `static\n\n\n\n${MARKER}\n\n\n\ndynamic`, 'static\n\n', '\n\ndynamic'],
    ['spacing on the static side only', `static\n\n${MARKER}dynamic`, 'static', 'dynamic'],
    ['spacing on the dynamic side only', `static${MARKER}\n\ndynamic`, 'static', 'dynamic'],
    ['CRLF', `static\r\n\r\n${MARKER}\r\n\r\ndynamic`, 'static\r\n\r\n', '\r\n\r\ndynamic'],
    ['spaces', `static ${MARKER} dynamic`, 'static ', ' dynamic'],
    ['whitespace-only halves', ` \t${MARKER}\n \n`, ' \t', '\n \n'],
    ['blank lines that are not beside the marker', `\n\na\n\n${MARKER}\n\nb\n\n`, '\n\na', 'b\n\n'],
    ['several markers', `a\n\n${MARKER}\n\nb\n\n${MARKER}\n\nc`, 'a', `b\n\n${MARKER}\n\nc`],
    ['adjacent markers', `a${MARKER}${MARKER}b`, 'a', `${MARKER}b`],
    ['adjacent markers and a blank line', `a${MARKER}\n\n${MARKER}b`, 'a', `${MARKER}b`],
    ['overlapping markers', `a${MARKER}${MARKER.slice(2)}`, 'a', MARKER.slice(2)],
    ['more underscores around the marker', `__${MARKER}__`, '__', '__'],
    [
      'a partial marker',
      `static\n\n${MARKER.slice(0, -1)}\n\ndynamic`,
      `static\n\n${MARKER.slice(0, -1)}\n\ndynamic`,
      '',
    ],
    ['a partial marker before the marker', `${FRONT}${MARKER}dynamic`, FRONT, 'dynamic'],
    ['a lower-case marker', `a${MARKER.toLowerCase()}b`, `a${MARKER.toLowerCase()}b`, ''],
  ])('reads the halves of a prompt with %s', (_case, system, fixed, dynamic) => {
    expect(splitSystemPrompt(system)).toEqual({ static: fixed, dynamic })
  })
})

describe('joinSystemPrompt', () => {
  it.each([
    ['puts a spaced marker between the halves', 'a', 'b', `a\n\n${MARKER}\n\nb`],
    ['needs no marker without a dynamic half', 'a', '', 'a'],
    ['starts with the marker without a static half', '', 'b', `${MARKER}\n\nb`],
    ['makes nothing of two empty halves', '', '', ''],
    ['takes whitespace for text', ' ', '\n', ` \n\n${MARKER}\n\n\n`],
    ['keeps the newlines of the halves', 'a\n\n', '\n\nb', `a\n\n\n\n${MARKER}\n\n\n\nb`],
    ['uses a marker in the static half as one', `a${MARKER}`, 'b', `a${MARKER}\n\n${MARKER}\n\nb`],
  ])('%s', (_behaviour, fixed, dynamic, expected) => {
    expect(joinSystemPrompt(fixed, dynamic)).toBe(expected)
  })
})

describe('appendStaticSection', () => {
  it.each([
    ['inserts no marker of its own', 'a', 'x', 'a\n\nx'],
    ['does not glue onto an empty prompt', '', 'x', 'x'],
    ['goes before the marker', `a\n\n${MARKER}\n\nb`, 'x', `a\n\nx\n\n${MARKER}\n\nb`],
    ['does not glue onto an empty static half', `${MARKER}\n\nb`, 'x', `x\n\n${MARKER}\n\nb`],
    ['drops a marker with nothing after it', `a\n\n${MARKER}`, 'x', 'a\n\nx'],
    ['drops a marker with nothing around it', MARKER, 'x', 'x'],
    ['normalises the spacing at the marker', `a${MARKER}b`, 'x', `a\n\nx\n\n${MARKER}\n\nb`],
    ['keeps newlines beyond the spacing', `a\n\n\n${MARKER}\n\n\nb`, 'x', `a\n\n\nx\n\n${MARKER}\n\n\nb`],
    ['keeps CRLF', `a\r\n\r\n${MARKER}\r\nb`, 'x', `a\r\n\r\n\n\nx\n\n${MARKER}\n\n\r\nb`],
    ['keeps later markers', `a\n\n${MARKER}\n\nb${MARKER}c`, 'x', `a\n\nx\n\n${MARKER}\n\nb${MARKER}c`],
    [
      'uses a marker in the extra text as one',
      `a\n\n${MARKER}\n\nb`,
      `x${MARKER}y`,
      `a\n\nx${MARKER}y\n\n${MARKER}\n\nb`,
    ],
    ['returns the input for an empty extra', `a${MARKER}b`, '', `a${MARKER}b`],
    ['keeps a marker with nothing after it for an empty extra', `a${MARKER}`, '', `a${MARKER}`],
    ['takes whitespace for an extra text', 'a', ' ', 'a\n\n '],
  ])('%s', (_behaviour, system, extra, expected) => {
    expect(appendStaticSection(system, extra)).toBe(expected)
  })
})

describe('appendDynamicSection', () => {
  it.each([
    ['inserts the marker where there was none', 'a', 'x', `a\n\n${MARKER}\n\nx`],
    ['starts with the marker in an empty prompt', '', 'x', `${MARKER}\n\nx`],
    ['goes after the dynamic half', `a\n\n${MARKER}\n\nb`, 'x', `a\n\n${MARKER}\n\nb\n\nx`],
    ['does not glue onto an empty dynamic half', `a\n\n${MARKER}`, 'x', `a\n\n${MARKER}\n\nx`],
    ['leaves an empty static half empty', `${MARKER}\n\nb`, 'x', `${MARKER}\n\nb\n\nx`],
    ['normalises the spacing at the marker', `a${MARKER}b`, 'x', `a\n\n${MARKER}\n\nb\n\nx`],
    ['keeps newlines beyond the spacing', `a\n\n\n${MARKER}\n\n\nb\n`, 'x', `a\n\n\n${MARKER}\n\n\nb\n\n\nx`],
    ['keeps later markers', `a\n\n${MARKER}\n\nb${MARKER}`, 'x', `a\n\n${MARKER}\n\nb${MARKER}\n\nx`],
    ['uses a marker in the extra text as one', 'a', `${MARKER}x`, `a\n\n${MARKER}\n\n${MARKER}x`],
    ['returns the input for an empty extra', `a${MARKER}b`, '', `a${MARKER}b`],
    ['keeps a marker with nothing after it for an empty extra', `a${MARKER}`, '', `a${MARKER}`],
  ])('%s', (_behaviour, system, extra, expected) => {
    expect(appendDynamicSection(system, extra)).toBe(expected)
  })
})

describe('replaceDynamicSection', () => {
  it.each([
    ['replaces the dynamic half', `a\n\n${MARKER}\n\nb`, 'x', `a\n\n${MARKER}\n\nx`],
    ['replaces later markers and all', `a\n\n${MARKER}\n\nb\n\n${MARKER}\n\nc`, 'x', `a\n\n${MARKER}\n\nx`],
    ['inserts the marker where there was none', 'a', 'x', `a\n\n${MARKER}\n\nx`],
    ['drops the dynamic half and the marker when there is no next', `a\n\n${MARKER}\n\nb`, '', 'a'],
    ['drops a marker with nothing after it', `a\n\n${MARKER}`, '', 'a'],
    ['leaves a prompt without a marker when there is no next', 'a\n\n', '', 'a\n\n'],
    ['leaves nothing of a prompt that was all dynamic', `${MARKER}\n\nb`, '', ''],
    ['leaves an empty static half empty', `${MARKER}\n\nb`, 'x', `${MARKER}\n\nx`],
    ['normalises the spacing at the marker', `a${MARKER}b`, 'x', `a\n\n${MARKER}\n\nx`],
    ['keeps the newlines of the next text', 'a', '\n\nx\n', `a\n\n${MARKER}\n\n\n\nx\n`],
    ['uses a marker in the next text as one', '', `x${MARKER}y`, `${MARKER}\n\nx${MARKER}y`],
  ])('%s', (_behaviour, system, next, expected) => {
    expect(replaceDynamicSection(system, next)).toBe(expected)
  })
})

describe('renderSystemForWire', () => {
  it.each([
    ['no text', '', ''],
    ['no marker', '\n\nstatic\n\n', '\n\nstatic\n\n'],
    ['a spaced marker', `static\n\n${MARKER}\n\ndynamic`, 'static\n\ndynamic'],
    ['a marker without spacing', `static${MARKER}dynamic`, 'static\n\ndynamic'],
    ['a marker alone', MARKER, ''],
    ['a spaced marker alone', `\n\n${MARKER}\n\n`, ''],
    ['an empty static half', `${MARKER}\n\ndynamic`, 'dynamic'],
    ['an empty dynamic half', `static\n\n${MARKER}`, 'static'],
    ['one newline on each side', `static\n${MARKER}\ndynamic`, 'static\n\n\n\ndynamic'],
    ['three newlines on each side', `static\n\n\n${MARKER}\n\n\ndynamic`, 'static\n\n\n\ndynamic'],
    ['CRLF', `static\r\n\r\n${MARKER}\r\ndynamic`, 'static\r\n\r\n\n\n\r\ndynamic'],
    ['whitespace-only halves', ` ${MARKER}\t`, ' \n\n\t'],
    ['several spaced markers', `a\n\n${MARKER}\n\nb\n\n${MARKER}\n\nc`, 'a\n\nb\n\nc'],
    ['several markers without spacing', `a${MARKER}b${MARKER}c`, 'a\n\nb\n\nc'],
    ['a later marker at the end', `a\n\n${MARKER}\n\nb\n\n${MARKER}`, 'a\n\nb'],
    ['adjacent markers', `a${MARKER}${MARKER}b`, 'a\n\nb'],
    ['markers with a blank line between them', `a\n\n${MARKER}\n\n${MARKER}\n\nb`, 'a\n\nb'],
    ['markers with more blank lines between them', `a${MARKER}\n\n\n\n\n${MARKER}b`, 'a\n\n\n\n\nb'],
    ['overlapping markers', `${MARKER}${MARKER.slice(2)}`, MARKER.slice(2)],
    ['a later marker inside another', `a${MARKER}${FRONT}${MARKER}${BACK}`, `a\n\n${FRONT}\n\n${BACK}`],
    ['the first marker inside another', `${FRONT}${MARKER}${BACK}`, `${FRONT}\n\n${BACK}`],
    ['markers nested twice', `${FRONT}${FRONT}${MARKER}${BACK}${BACK}`, `${FRONT}${FRONT}\n\n${BACK}${BACK}`],
    ['two markers inside another', `${FRONT}${MARKER}${MARKER}${BACK}`, `${FRONT}\n\n${BACK}`],
    ['a partial marker', `${FRONT}\n\n${MARKER}\n\n${MARKER.toLowerCase()}`, `${FRONT}\n\n${MARKER.toLowerCase()}`],
  ])('leaves a blank line between the texts of a prompt with %s', (_case, system, expected) => {
    expect(renderSystemForWire(system)).toBe(expected)
  })
})
