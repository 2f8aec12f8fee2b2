import { describe, expect, it } from 'vitest'
import { CommandError } from '../../errors.ts'
import { parseSince } from './since.ts'

const now = Date.UTC(2026, 11, 1, 12)
const since = (text: string | undefined): string => new Date(parseSince(text, now)).toISOString()

describe('--since', () => {
  it.each([
    [undefined, '2026-11-01T12:00:00.000Z'],
    ['7d', '2026-11-24T12:00:00.000Z'],
    ['12h', '2026-12-01T00:00:00.000Z'],
    ['1.5d', '2026-11-30T00:00:00.000Z'],
    ['90m', '2026-12-01T10:30:00.000Z'],
    ['2w', '2026-11-17T12:00:00.000Z'],
    ['2026-11-05', '2026-11-05T00:00:00.000Z'],
    ['2026-11-05T08:30', '2026-11-05T08:30:00.000Z'],
    ['2026-11-05T08:30:15.5Z', '2026-11-05T08:30:15.500Z'],
    ['2026-11-05T08:30+02:00', '2026-11-05T06:30:00.000Z'],
    ['999999w', '1970-01-01T00:00:00.000Z'],
  ])('takes %s', (text, expected) => {
    expect(since(text)).toBe(expected)
  })

  it.each([
    '',
    'yesterday',
    '7',
    '-7d',
    '0d',
    '2026-13-01',
    '2026-02-30',
    '2026-12-02',
    '11/05/2026',
    '2026-11-05Z',
    '٧d',
  ])('refuses "%s"', (text) => {
    expect(() => parseSince(text, now)).toThrow(CommandError)
  })
})
