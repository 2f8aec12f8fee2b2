/** The files of the repository that the agents work on: a small library without a single comment. */

const utilities: Readonly<Record<string, string>> = {
  'chunk.js': `export function chunk(list, size) {
  if (size < 1) throw new RangeError('A chunk has at least one element.')
  const chunks = []
  for (let start = 0; start < list.length; start += size) chunks.push(list.slice(start, start + size))
  return chunks
}`,
  'clamp.js': `export function clamp(number, least, most) {
  if (least > most) throw new RangeError('The range is empty.')
  return Math.min(Math.max(number, least), most)
}`,
  'count-by.js': `export function countBy(list, keyOf) {
  const counts = new Map()
  for (const element of list) {
    const key = keyOf(element)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}`,
  'dedent.js': `export function dedent(text) {
  const lines = text.split('\\n')
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
  const least = Math.min(...indents, Infinity)
  return lines.map((line) => line.slice(least)).join('\\n')
}`,
  'ellipsis.js': `export function ellipsis(text, length) {
  if (text.length <= length) return text
  return text.slice(0, Math.max(length - 1, 0)) + '…'
}`,
  'initials.js': `export function initials(name) {
  return name
    .split(' ')
    .filter((part) => part !== '')
    .map((part) => part[0].toUpperCase())
    .join('')
}`,
  'median.js': `export function median(numbers) {
  if (numbers.length === 0) return undefined
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}`,
  'ordinal.js': `export function ordinal(number) {
  const rest = number % 100
  if (rest > 10 && rest < 14) return number + 'th'
  return number + (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
}`,
  'partition.js': `export function partition(list, passes) {
  const parts = [[], []]
  for (const element of list) parts[passes(element) ? 0 : 1].push(element)
  return parts
}`,
  'range.js': `export function range(start, end, step = 1) {
  if (step === 0) throw new RangeError('A range needs a step.')
  const numbers = []
  for (let number = start; step > 0 ? number < end : number > end; number += step) numbers.push(number)
  return numbers
}`,
  'slug.js': `export function slug(text) {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}`,
  'unique.js': `export function unique(list, keyOf = (element) => element) {
  const seen = new Set()
  return list.filter((element) => {
    const key = keyOf(element)
    return !seen.has(key) && seen.add(key)
  })
}`,
}

const README = `# Pebbles

Twelve small functions, one in a file, for programs that do not want a library. Each is a module of its own under \`src/\`, has no
dependencies, and runs wherever JavaScript does. The spelling is British.
`

const AGENTS = `# Rules of this repository

- A module has one export, and its file is named after it.
- Comments are English, in British spelling, and at most 100 columns wide.
- Functions do not change what they are given; a comment need not say so, but must when one does.
- An error is a RangeError with a sentence that a user may read.
- \`src/\` is the only folder with code. There is no build.
- Commits are small, and their messages are in the imperative.
`

/** Every file, by its path from the top. */
export const files: Readonly<Record<string, string>> = {
  'AGENTS.md': AGENTS,
  'README.md': README,
  'package.json': `${JSON.stringify({ name: 'pebbles', version: '1.0.0', type: 'module' }, null, 2)}\n`,
  ...Object.fromEntries(Object.entries(utilities).map(([name, text]) => [`src/${name}`, `${text}\n`])),
}
