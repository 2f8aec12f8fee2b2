import { describe, expect, it } from 'vitest'
import type { Culprit } from '../changes/types.ts'
import { Masking } from './masking.ts'

const masked = new Masking({ includeText: false, salt: 'a' })
const open = new Masking({ includeText: true, salt: 'a' })
const nowhere = { before: '', after: '' }
const of = (kind: Culprit['kind'], ...values: string[]): Pick<Culprit, 'kind' | 'values' | 'anchor'> => ({
  kind,
  values,
  anchor: nowhere,
})
const textsOf = (masking: Masking, culprit: Pick<Culprit, 'kind' | 'values' | 'anchor'>): (string | null)[] =>
  masking.culprit(culprit).values.map(({ text }) => text)

describe('values', () => {
  it.each([
    ['clock', 'quarter past nine'],
    ['clock', '๑๔:๐๓'],
    ['date', '2026-11-01'],
    ['git', 'feature/zürich'],
    ['id', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
    ['counter', '32 of 40'],
    ['tool-reordered', 'read_file, grep, mcp__github__create_issue'],
    ['tool-call-ids', 'toolu_01A09q90qw90lq917835lq9'],
    ['parameter', '{"type":"auto"}'],
  ] as const)('of kind %s are shown: %s', (kind, value) => {
    expect(textsOf(masked, of(kind, value))).toEqual([value])
  })

  it.each([
    ['rules-text', 'Never mention Project Falcon.'],
    ['unknown', 'Falcon'],
    ['path', '/home/ada/falcon'],
    ['git', ' M src/falcon.ts\n?? secret-plan.md'],
    ['git', 'M falcon.ts'],
    ['clock', 'it is now late, and Ada Lovelace has asked for the falcon'],
    ['tool-edited', 'Reads falcons, and all other birds'],
    ['id', 'x'.repeat(65)],
  ] as const)('of kind %s are masked: %s', (kind, value) => {
    const { values } = masked.culprit(of(kind, value))
    expect(values).toEqual([
      { text: null, length: value.length, hash: expect.any(String), preview: expect.any(String) },
    ])
    expect(values[0]?.preview).not.toMatch(/[a-wyz1-9]/i)
    expect(textsOf(open, of(kind, value))).toEqual([value])
  })

  it('keep their shape in the preview, and no more than 80 characters of it', () => {
    const preview = (text: string): string | undefined => masked.culprit(of('rules-text', text)).values[0]?.preview
    expect(preview('Ada, 36: "é́" ٣ 😀\n\u001b[2J')).toBe('xxx, 00: "x" 0 😀  [0x')
    expect(Array.from(preview('😀'.repeat(90)) ?? '')).toHaveLength(80)
    expect(preview('')).toBe('')
  })

  it('are told apart by a hash that means nothing under another salt', () => {
    const hash = (salt: string, text: string): string | undefined =>
      new Masking({ includeText: false, salt }).culprit(of('unknown', text)).values[0]?.hash
    expect(hash('a', 'x')).toBe(hash('a', 'x'))
    expect(hash('a', 'x')).not.toBe(hash('a', 'y'))
    expect(hash('a', 'x')).not.toBe(hash('b', 'x'))
    expect(hash('a', 'x')).toMatch(/^[0-9a-f]{16}$/)
  })

  it('hold no key, whether texts are shown or not', () => {
    const key = 'sk-ant-api03-Zk3Qp9Lw2Vx7'
    for (const masking of [masked, open]) {
      for (const kind of ['id', 'parameter', 'unknown'] as const) {
        expect(JSON.stringify(masking.culprit(of(kind, key)))).not.toContain('Zk3Qp9')
      }
    }
    expect(textsOf(open, of('unknown', `use ${key} now`))).toEqual(['use [key] now'])
  })

  it('hold no key either where only a part of it changes', () => {
    const { values, anchor } = open.culprit({
      kind: 'id',
      values: ['3Qp9', '8Md4'],
      anchor: { before: 'the key is sk-ant-api03-Zk', after: 'Lw2Vx7Rt5Yb1. Go on.' },
    })
    expect(values.map(({ text }) => text)).toEqual(['[key]', '[key]'])
    expect(anchor?.before.text).toBe('the key is [key]')
    expect(anchor?.after.text).toBe('[key]. Go on.')
  })

  it('that are huge are clipped, and measured whole', () => {
    const huge = 'ab'.repeat(5_000_000)
    const [value] = open.culprit(of('unknown', huge)).values
    expect(value?.text).toHaveLength(200)
    expect(value?.length).toBe(huge.length)
  })
})

describe('what stands around', () => {
  it('is masked unless texts are asked for', () => {
    const culprit = { kind: 'clock', values: ['14:03'], anchor: { before: 'Falcon at ', after: ' sharp' } } as const
    const { anchor, values } = masked.culprit(culprit)
    expect(anchor?.before).toMatchObject({ text: null, preview: 'xxxxxx xx ' })
    expect(values[0]?.text).toBe('14:03')
    expect(open.culprit(culprit).anchor?.after.text).toBe(' sharp')
    expect(masked.culprit(of('clock', '1')).anchor).toBeNull()
  })
})

describe('a divergence', () => {
  const divergence = {
    kind: 'changed',
    path: 'system[0]',
    section: 'system',
    offset: 3,
    before: 'the falcon, API_KEY=abcd1234…',
    after: null,
  } as const

  it('is masked, and null where there is none', () => {
    expect(masked.divergence(divergence)).toEqual({
      kind: 'changed',
      path: 'system[0]',
      offset: 3,
      before: { text: null, length: 29, hash: expect.any(String), preview: 'xxx xxxxxx, xxx_xxx=xxxx0000…' },
      after: null,
    })
  })

  it('shows its text when asked, without keys', () => {
    expect(open.divergence(divergence).before?.text).toBe('the falcon, API_KEY=[key]')
  })
})
