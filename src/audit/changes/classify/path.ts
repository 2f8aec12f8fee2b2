/** Folders, files and addresses: where something runs, and what is there. */
import { shareOf, valuesOf, type Guess, type History } from './history.ts'

const label =
  /\b(?:cwd|dir|directory|folder|workspace|path|root|home|sandbox|url|uri|host|endpoint|project|verzeichnis|ordner|pfad|carpeta|dossier|working in)\b|папк|каталог|目录|ディレクトリ|โฟลเดอร์/i
const tree = /\b(?:(?:file|folder|directory|source) tree|files|listing)\b/i
const address = /^[a-z][a-z0-9+.-]*:\/\/|^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|[\w-]+(?:\.[\w-]+)+)(?::\d+)?(?:\/|$)/i
const path = /^(?:~|\.{1,2})?[/\\](?!\/)\S|^[a-z]:[\\/]|^\S+[/\\]\S+[/\\]\S+$/i
const fileName = /^[\s│├└─|`+*-]*[\w@.-]+(?:\.[a-z]{1,5}|\/)\s*$/i

/** Units in front of a value that name it. */
const NEAR = 28

/** A path, as far as the history speaks for one. */
export function guessPath(history: History): Guess | null {
  const values = valuesOf(history)
  const named = label.test(history.label.slice(-NEAR))
  if (shareOf(values, (value) => address.test(value)) > 0.6) return { kind: 'path', confidence: named ? 0.93 : 0.85 }
  if (shareOf(values, (value) => path.test(value)) > 0.6) return { kind: 'path', confidence: named ? 0.95 : 0.85 }
  if (shareOf(values, isListing) > 0.4) return { kind: 'path', confidence: 0.75 }
  if (named && shareOf(values, (value) => value.length <= 120 && !/\s\S+\s/.test(value)) > 0.8)
    return { kind: 'path', confidence: 0.78 }
  return tree.test(history.label) ? { kind: 'path', confidence: 0.55 } : null
}

/** Lines that are names of files or folders. */
function isListing(value: string): boolean {
  const lines = value.split('\n').filter((line) => line.trim() !== '')
  return lines.length > 0 && shareOf(lines, (line) => fileName.test(line)) > 0.7
}
