import { describe, expect, it } from 'vitest'
import { whyNothing } from './nothing-found.ts'
import { claudeCode, codex } from './places.ts'
import type { SearchedPlace } from './session-files.ts'

const since = Date.UTC(2026, 10, 1, 8)
const place = (over: Partial<SearchedPlace>): SearchedPlace => ({
  client: claudeCode,
  folder: '/home/ada/.claude/projects',
  state: 'found',
  files: 0,
  older: 0,
  ...over,
})
const messageOf = (...places: SearchedPlace[]): string => whyNothing({ places, files: [] }, since, '/home/ada')

describe('where nothing is found', () => {
  it('says where it looked, and what else can be done', () => {
    const message = messageOf(place({ state: 'absent' }), place({ client: codex, folder: '/data/codex/sessions' }))
    expect(message).toContain('found since 2026-11-01 08:00 UTC')
    expect(message).toContain('  ~/.claude/projects: there is no such folder')
    expect(message).toContain('  /data/codex/sessions: no session file')
    expect(message).toContain('npx indelible record -- claude')
    expect(message).not.toContain('--since')
  })

  it('says that there are older ones, and how to see them', () => {
    const message = messageOf(place({ older: 3 }), place({ older: 1 }), place({ state: 'unreadable' }))
    expect(message).toContain('3 files, all older')
    expect(message).toContain('1 file, all older')
    expect(message).toContain('the folder cannot be read')
    expect(message).toContain('--since 90d')
  })

  it('says that files hold no call', () => {
    expect(messageOf(place({ files: 1, older: 2 }))).toContain('1 file, and no call in the span that can be read')
  })
})
