/** How the code is laid out: imports in one order, comments within the width of a page. */
import type { Imports } from './types.ts'

const WIDTH = 110

/** `text` as lines of a comment. It is of our own words: what stands in a log is never in a comment. */
export function comment(text: string): string {
  const lines: string[] = []
  let line = '//'
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = '//'
    }
    line += ` ${word}`
  }
  return [...lines, line].join('\n')
}

/** Statements for all of `imports`, each name once. */
export function importsOf(imports: readonly Imports[]): string {
  const modules = new Map<string, Set<string>>()
  for (const [module, names] of imports.flatMap((one) => Object.entries(one))) {
    const known = modules.get(module) ?? new Set<string>()
    modules.set(module, known)
    for (const name of names) known.add(name)
  }
  return [...modules]
    .sort(([one], [other]) => compare(one, other))
    .map(([module, names]) => importOf(module, [...names].sort(byName)))
    .join('\n')
}

function importOf(module: string, names: readonly string[]): string {
  const onlyTypes = names.every((name) => name.startsWith('type '))
  const list = onlyTypes ? names.map((name) => name.slice('type '.length)) : names
  return `import ${onlyTypes ? 'type ' : ''}{ ${list.join(', ')} } from '${module}'`
}

function byName(one: string, other: string): number {
  return compare(one.replace(/^type /, ''), other.replace(/^type /, ''))
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
