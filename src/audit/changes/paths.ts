/** Paths as culprits have them: of a place that moves with the conversation, the index is `*`. */

/** One path for all: an index in which they differ is `*`; of paths of another form, the list that they begin with. */
export function commonPath(paths: readonly string[]): string {
  const [first, ...others] = [...new Set(paths)]
  if (first === undefined) return ''
  let parts = split(first)
  for (const path of others) {
    const other = split(path)
    if (other.length === parts.length && other.every((part, index) => kind(part) === kind(parts[index]))) {
      parts = parts.map((part, index) => (part === other[index] ? part : '[*]'))
      continue
    }
    let same = 0
    while (same < parts.length && same < other.length && kind(parts[same]) === kind(other[same])) same++
    parts = parts
      .slice(0, Math.max(1, same))
      .map((part, index) => (part === other[index] ? part : kind(part) === '[' ? '[*]' : part))
  }
  return parts.join('')
}

/** A path that is alike in every turn: only the first message keeps its index. */
export function steadyPath(path: string): string {
  if (!isOfMessages(path)) return path
  return path
    .replace(/^((?:previous\([^)]*\)\.)?\w+)\[([1-9]\d*)\]/, '$1[*]')
    .replace(/^previous\([^)]*\)/, 'previous(*)')
}

/** True for a path in a list of messages, by any format's name. */
function isOfMessages(path: string): boolean {
  return /^(?:messages|input|contents|previous\()/.test(path)
}

/** `messages`, `[12]`, `.content`, `[1]`. */
function split(path: string): string[] {
  return path.match(/\[[^\]]*\]|\([^)]*\)|[^[\](]+/g) ?? [path]
}

function kind(part: string | undefined): string {
  return part?.startsWith('[') === true ? '[' : part?.startsWith('(') === true ? '(' : (part ?? '')
}
