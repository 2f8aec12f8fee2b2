/** Where clients keep the logs of their sessions, told from the environment alone: nothing is looked at here. */
import { join } from 'node:path'
import type { Environment } from '../../output.ts'

/** A client that logs its sessions without being asked to. */
export interface Client {
  readonly name: string
  /** Id of the format of its logs. */
  readonly format: string
}

/** A folder in which a client may keep its logs. */
export interface LogPlace {
  readonly client: Client
  readonly folder: string
}

export const claudeCode: Client = { name: 'Claude Code', format: 'claude-code' }
export const codex: Client = { name: 'Codex', format: 'codex' }

/**
 * The folders, in the order in which they are looked into, each once. A variable that moves a client's folder comes first;
 * the usual folders are looked into all the same, for what was logged before it was set.
 */
export function logPlaces(environment: Environment, home: string): readonly LogPlace[] {
  const config = filled(environment['XDG_CONFIG_HOME']) ?? join(home, '.config')
  // Tools that add up usage take several folders with commas between them, so some people have set it so.
  const moved = (filled(environment['CLAUDE_CONFIG_DIR']) ?? '').split(',').flatMap((part) => filled(part) ?? [])
  const claude = [...moved, join(home, '.claude'), join(config, 'claude')].map((folder) => join(folder, 'projects'))
  const roots = [filled(environment['CODEX_HOME']), join(home, '.codex')].filter((root) => root !== undefined)
  return [
    ...[...new Set(claude)].map((folder) => ({ client: claudeCode, folder })),
    ...[...new Set(roots)].flatMap((root) =>
      ['sessions', 'archived_sessions'].map((folder) => ({ client: codex, folder: join(root, folder) })),
    ),
  ]
}

/** Undefined where it is not set, or to nothing. */
function filled(value: string | undefined): string | undefined {
  const text = value?.trim() ?? ''
  return text === '' ? undefined : text
}
