/** What to say where there is nothing to sum up: where it was looked, what is there, and what else can be done. */
import type { FoundFiles, SearchedPlace } from './session-files.ts'

/** A message of some lines. Paths below `home` begin with `~`. */
export function whyNothing({ places }: FoundFiles, since: number, home: string): string {
  const day = new Date(since).toISOString().slice(0, 16).replace('T', ' ')
  const older = places.reduce((sum, place) => sum + place.older, 0)
  const rows = places.map((place) => `  ${shorten(place.folder, home)}: ${whatIsAt(place)}`)
  return [
    `No session of Claude Code or Codex was found since ${day} UTC. Looked in:`,
    ...rows,
    ...(older > 0 ? ['Look further back: --since 90d, or --since and a day.'] : []),
    'Or give logs by their paths:        npx indelible audit requests.jsonl',
    'or record what an agent sends:      npx indelible record -- claude',
    'or see it on logs that are made up: npx indelible demo --logs demo-logs',
    'Where Claude Code or Codex keep theirs elsewhere, set CLAUDE_CONFIG_DIR or CODEX_HOME.',
  ].join('\n')
}

function whatIsAt({ state, files, older }: SearchedPlace): string {
  if (state === 'absent') return 'there is no such folder'
  if (state === 'unreadable') return 'the folder cannot be read'
  if (files > 0) return `${countOf(files, 'file')}, and no call in the span that can be read`
  return older === 0 ? 'no session file' : `${countOf(older, 'file')}, all older`
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function shorten(folder: string, home: string): string {
  return home !== '' && folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder
}
