import { describe, expect, it } from 'vitest'
import { initialize, reconcile } from '../../context/index.ts'
import { tellTools } from '../../session/tools.ts'
import { date } from '../../sources/date.ts'
import { value } from '../../sources/value.ts'
import { tagUpdate as tagOfWire } from '../../wire/update-tag.ts'
import type { CulpritKind } from '../changes/types.ts'
import { isTold, tagUpdate, tell, type Subject } from './update-text.ts'

const culprit = (kind: CulpritKind, path = 'system[0]', before = ''): Subject => ({
  kind,
  path,
  anchor: { before, after: '' },
})

/** The update that a source emits for a change. */
async function emitted(source: Parameters<typeof initialize>[0], change: () => void): Promise<string> {
  const { snapshot } = await initialize(source)
  change()
  const made = await reconcile(source, snapshot)
  return 'text' in made ? made.text : ''
}

describe('the text of an update', () => {
  it('is that of the date source', async () => {
    let now = new Date('2026-03-01T12:00:00Z')
    const text = await emitted(
      date({ timeZone: 'UTC', clock: () => now }),
      () => (now = new Date('2026-03-02T12:00:00Z')),
    )
    expect(text).toBe(tell(culprit('date'), 'Monday, 2026-03-02 (UTC)'))
    expect(text).toBe(tell(culprit('date', '', 'Be brief.\nThe current date is '), 'Monday, 2026-03-02 (UTC)'))
  })

  it('is that of a setting', async () => {
    let mode = 'plan'
    const text = await emitted(
      value('acme/mode', () => mode),
      () => (mode = 'build'),
    )
    expect(text).toBe(tell(culprit('unknown', 'acme/mode'), 'build'))
  })

  it('is that of a session whose tool is gone', () => {
    const text = tellTools({ added: [], removed: ['read'], restored: [] }, () => '')
    expect(text).toBe(tell(culprit('tool-removed', 'tools[read]'), ''))
  })

  it('takes the words in front of the value, unless they are none', () => {
    expect(tell(culprit('git', '', 'ules. The tree is checked out on '), 'topic')).toBe(
      'The tree is checked out on now topic.',
    )
    expect(tell(culprit('unknown', '', 'rds. Mode: '), 'plan')).toBe('Mode: now plan.')
    expect(tell(culprit('unknown', '', 'alf a word of a line that is '), 'x')).toBe('a word of a line that is now x.')
    expect(tell(culprit('unknown', 'p', '{"mode": '), 'x')).toBe('The setting "p" is now "x".')
    expect(tell(culprit('git', 'p', '\n'), ' M a\n?? b')).toBe('Changed or untracked paths now:\n M a\n?? b')
  })

  it('has the size of the tag that adapters put around it', () => {
    const nonce = crypto.randomUUID()
    expect(tagUpdate('Now.')).toHaveLength(tagOfWire(nonce, 'Now.').length)
  })

  it('quotes whole lines of rules, and a few words as a value', () => {
    expect(tell(culprit('rules-text', 'AGENTS.md'), 'One.\nTwo.')).toContain('```\nOne.\nTwo.\n```')
    expect(tell(culprit('rules-text'), 'Duodecima')).toBe('The setting "system[0]" is now "Duodecima".')
  })
})

describe('what is told', () => {
  it.each([
    ['date', true, true],
    ['git', true, true],
    ['rules-text', true, true],
    ['tool-removed', true, true],
    ['unknown', true, true],
    ['clock', false, true],
    ['id', false, true],
    ['counter', false, true],
    ['tool-reordered', false, false],
    ['tool-call-ids', false, false],
    ['pruned-result', false, false],
    ['parameter', false, false],
  ] as const)('of %s: %s, and %s when asked', (kind, values, all) => {
    expect([isTold(kind, 'values'), isTold(kind, 'all')]).toEqual([values, all])
  })
})
