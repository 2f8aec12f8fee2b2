import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testStart } from '../../test-turns.ts'
import { changesIn } from '../test-changes.ts'
import type { CulpritKind } from '../types.ts'

const STEP = 30_000
const start = testStart + 9 * 3_600_000 + 600_000
const numbers =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen'.split(' ')
const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ')
const numerals = 'i ii iii iv v vi vii viii ix x xi xii'.split(' ')

interface Case {
  readonly kind: CulpritKind
  /** In front of the value; no two cases have one. */
  readonly label: string
  /** The value in each of twelve turns. */
  readonly value: (turn: number) => string
  /** Milliseconds between turns. */
  readonly step?: number
}

function at(turn: number, step = STEP): Date {
  return new Date(start + turn * step)
}

function inThai(text: string): string {
  return text.replace(/\d/g, (digit) => String.fromCharCode(0xe50 + Number(digit)))
}

/** Drawn from `letters`, the same in every run. */
function drawn(turn: number, length: number, letters: string): string {
  let state = ((turn + 7) * 2_654_435_761) % 4_294_967_296
  const all = Array.from(letters)
  return Array.from({ length }, () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return all[Math.floor(state / 65_536) % all.length]
  }).join('')
}

function spoken(turn: number): string {
  const minutes = turn * 15 + 135
  const hour = Math.floor(minutes / 60)
  const word = (which: number): string => numbers[((which - 1) % 12) + 1] ?? ''
  switch ((minutes / 15) % 4) {
    case 0:
      return `${word(hour)} o'clock`
    case 1:
      return `quarter past ${word(hour)}`
    case 2:
      return `half past ${word(hour)}`
    default:
      return `quarter to ${word(hour + 1)}`
  }
}

const change = (turn: number, before: string, after: string, when = 6): string => (turn < when ? before : after)
const switched = (turn: number, one: string, other: string): string => (turn < 4 || turn >= 8 ? one : other)

const cases: readonly Case[] = [
  { kind: 'clock', label: 'It is ', value: (turn) => `${inThai(at(turn).toISOString().slice(11, 19))} now.` },
  { kind: 'clock', label: 'Time: ', value: spoken, step: 900_000 },
  { kind: 'clock', label: 'Now ', value: (turn) => at(turn).toUTCString() },
  { kind: 'clock', label: 'Started at ', value: (turn) => String(at(turn).getTime() / 1000) },
  { kind: 'clock', label: 'at ', value: (turn) => at(turn).toLocaleTimeString('en-US', { timeZone: 'UTC' }) },
  {
    kind: 'clock',
    label: 'Am ',
    value: (turn) => `Sonntag, 1. November 2026 um ${at(turn).toISOString().slice(11, 19)}`,
  },
  { kind: 'clock', label: '現在は', value: (turn) => `9時${turn + 10}分です`, step: 60_000 },
  { kind: 'clock', label: 'uptime ', value: (turn) => `${turn * 45} s`, step: 45_000 },
  { kind: 'date', label: 'Today is ', value: (turn) => change(turn, 'Sunday', 'Monday') },
  {
    kind: 'date',
    label: 'Written on ',
    value: (turn) => change(turn, 'Sunday, November 1, 2026.', 'Monday, November 2, 2026.'),
  },
  { kind: 'date', label: 'วันที่ ', value: (turn) => inThai(change(turn, '1 พฤศจิกายน 2569', '2 พฤศจิกายน 2569')) },
  { kind: 'date', label: 'Date: ', value: (turn) => change(turn, '31.10.2026', '01.11.2026') },
  { kind: 'date', label: 'Heute: ', value: (turn) => change(turn, '31. Oktober', '1. November') },
  { kind: 'git', label: 'On branch ', value: (turn) => switched(turn, 'zürich', 'main') },
  { kind: 'git', label: 'You are on ', value: (turn) => switched(turn, 'zürich', 'genève') },
  { kind: 'git', label: 'Branch: ', value: (turn) => change(turn, 'feature/a-1', 'feature/b-2') },
  { kind: 'git', label: 'HEAD: ', value: (turn) => change(turn, 'a1b2c3d', 'f00ba47') },
  { kind: 'git', label: 'Git status: ', value: (turn) => change(turn, '3 files changed', '4 files changed') },
  { kind: 'path', label: 'Working directory: ', value: (turn) => change(turn, '/home/ann/work', '/home/ann/other') },
  { kind: 'path', label: 'cwd=', value: (turn) => change(turn, 'C:\\work\\a', 'D:\\b') },
  { kind: 'path', label: 'Sandbox: ', value: (turn) => `https://${change(turn, 'x9k2', 'b7q1')}.sandbox.dev/app` },
  { kind: 'id', label: 'Request ', value: (turn) => drawn(turn, 12, 'abcdefghijklmnopqrstuvwxyz0123456789') },
  { kind: 'id', label: 'message id ', value: (turn) => drawn(turn, 6, 'abcdefghij') },
  { kind: 'id', label: 'Marker ', value: (turn) => drawn(turn, 5, '🦊🐙🌵🍉🚀🎲🧩🪁🫐🥨') },
  { kind: 'id', label: '<msg n="', value: (turn) => `${drawn(turn, 10, '0123456789abcdef')}">` },
  { kind: 'id', label: 'Nonce: ', value: (turn) => String((turn * 7919 * 104_729 + 13) % 99_999_989) },
  { kind: 'counter', label: 'Iteration ', value: (turn) => String(turn + 7) },
  { kind: 'counter', label: 'Turn ', value: (turn) => numbers[turn + 1] ?? '' },
  { kind: 'counter', label: 'This is the ', value: (turn) => `${ordinals[turn]} step.` },
  { kind: 'counter', label: 'Chapter ', value: (turn) => numerals[turn] ?? '' },
  { kind: 'counter', label: 'Made ', value: (turn) => `${turn + 20} of 40 calls` },
  { kind: 'counter', label: 'Progress ', value: (turn) => '▮'.repeat(turn + 1) },
  { kind: 'counter', label: 'Progress [', value: (turn) => `${'#'.repeat(turn + 1)}${'.'.repeat(12 - turn)}]` },
  { kind: 'counter', label: 'หมายเลข ', value: (turn) => inThai(String(turn + 3)) },
  {
    kind: 'remaining-tokens',
    label: 'Remaining tokens: ',
    value: (turn) => (200_000 - turn * 3123).toLocaleString('en'),
  },
  { kind: 'remaining-tokens', label: 'You have ', value: (turn) => `${200_000 - turn * 3123} tokens left.` },
  { kind: 'remaining-tokens', label: 'Context left: ', value: (turn) => `${99 - turn * 3}%` },
  {
    kind: 'rules-text',
    label: 'Rules: ',
    value: (turn) =>
      change(turn, 'always write tests first and keep them short', 'never do more than you need, and ask first'),
  },
  {
    kind: 'rules-text',
    label: 'Manners:\n',
    value: (turn) => change(turn, 'Be kind.\nBe brief.', 'Be kind.\nUse tabs, not spaces, in all files.\nBe brief.'),
  },
]

const TURNS = 12

/** What is found where the lines of `planted` stand in a system prompt: kinds, and in how many turns each changed. */
function found(planted: readonly Case[], step = STEP): string[] {
  const lines = (turn: number): string => planted.map(({ label, value }) => label + value(turn)).join('\n')
  const bodies = Array.from({ length: TURNS }, (_, turn) => ({
    model: 'claude-sonnet-5',
    max_tokens: 100,
    system: `You are a helper in a shop that sells tea.\n\n${lines(turn)}\n\nHelp people to find what they look for.`,
    messages: Array.from({ length: 2 * turn + 1 }, (_, index) =>
      index % 2 === 0
        ? { role: 'user', content: `Question number ${index}` }
        : { role: 'assistant', content: `Answer number ${index}` },
    ),
  }))
  const { culprits } = changesIn(bodies, (turn) => ({ startedAt: start + turn * step }))
  return culprits.map(({ kind, occurrences }) => `${kind} ${occurrences.length}`).toSorted()
}

function planted({ kind, value }: Case): string {
  const turns = Array.from({ length: TURNS - 1 }, (_, index) => index + 1)
  return `${kind} ${turns.filter((turn) => value(turn) !== value(turn - 1)).length}`
}

describe('classify', () => {
  it.each(cases)('knows a $kind behind "$label"', (one) => {
    expect(found([one], one.step)).toEqual([planted(one)])
  })

  it('finds each of seven values that change side by side', () => {
    // Two edits of text in one block and one turn are one edit.
    const mixed = cases.filter(({ step, label }) => step === undefined && label !== 'Manners:\n')
    fc.assert(
      fc.property(fc.shuffledSubarray([...mixed], { minLength: 7, maxLength: 7 }), (chosen) => {
        expect(found(chosen)).toEqual(chosen.map(planted).toSorted())
      }),
      { numRuns: 30 },
    )
  })
})
