import { describe, expect, it } from 'vitest'
import { logPlaces } from './places.ts'

const foldersOf = (environment: Record<string, string>): string[] =>
  logPlaces(environment, '/home/ada').map(({ folder }) => folder.replaceAll('\\', '/'))

const usual = [
  '/home/ada/.claude/projects',
  '/home/ada/.config/claude/projects',
  '/home/ada/.codex/sessions',
  '/home/ada/.codex/archived_sessions',
]

describe('places of logs', () => {
  it('are the usual folders of Claude Code and Codex', () => {
    expect(foldersOf({})).toEqual(usual)
    expect(foldersOf({ CLAUDE_CONFIG_DIR: '', CODEX_HOME: ' ' })).toEqual(usual)
  })

  it('begin with those that the environment names', () => {
    expect(
      foldersOf({ CLAUDE_CONFIG_DIR: '/data/claude', CODEX_HOME: '/data/codex', XDG_CONFIG_HOME: '/etc/xdg' }),
    ).toEqual([
      '/data/claude/projects',
      '/home/ada/.claude/projects',
      '/etc/xdg/claude/projects',
      '/data/codex/sessions',
      '/data/codex/archived_sessions',
      '/home/ada/.codex/sessions',
      '/home/ada/.codex/archived_sessions',
    ])
  })

  it('are several where the variable holds several, and each is there once', () => {
    expect(foldersOf({ CLAUDE_CONFIG_DIR: '/a, /home/ada/.claude', CODEX_HOME: '/home/ada/.codex' })).toEqual([
      '/a/projects',
      ...usual,
    ])
  })
})
