/**
 * Finds the program that each `ts` fence of a page or a doc comment is, and what the page says that it prints.
 *
 * A fence holds a whole module with its imports. What it prints stands behind `// =>`, one line each and in order, or in a
 * `text` fence directly after it. Without either it prints nothing. `ts no-run` is type-checked only.
 */
import ts from 'typescript'

export interface Snippet {
  /** The page or source file, relative to the project root. */
  readonly file: string
  /** Where the code starts in it, from 1. */
  readonly line: number
  readonly code: string
  /** False for `ts no-run`. */
  readonly run: boolean
  /** The whole of standard output. */
  readonly expected: string
}

/** The snippets of a Markdown page. Throws on a fence that is not closed or says something unknown after `ts`. */
export function markdownSnippets(file: string, text: string): Snippet[] {
  return fencedSnippets(file, text.split('\n'), 1)
}

/** The snippets in the doc comments of a TypeScript file. */
export function docCommentSnippets(file: string, text: string): Snippet[] {
  if (!text.includes('```ts')) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  return docComments(source).flatMap(({ pos, end }) => {
    const lines = text.slice(pos, end).split('\n')
    const content = lines.map((line) => line.replace(/^\s*(\/\*\*|\*\/|\*) ?/, ''))
    return fencedSnippets(file, content, source.getLineAndCharacterOfPosition(pos).line + 1)
  })
}

/** The name under which a snippet is compiled and run: unique, and it says where to look. */
export function snippetName({ file, line }: Snippet): string {
  return `${file}.${line}.mts`
}

/** The code with as many lines before it as in its page, so that every message names the line of the page. */
export function snippetCode({ line, code }: Snippet): string {
  return '\n'.repeat(line - 1) + code
}

interface Fence {
  readonly info: string
  /** Index of the line after the opening one. */
  readonly start: number
  /** Index of the closing line. */
  readonly end: number
  readonly content: string
}

function fencedSnippets(file: string, lines: readonly string[], firstLine: number): Snippet[] {
  const fences = findFences(file, lines, firstLine)
  return fences.flatMap((fence, index) => {
    const [language, ...words] = fence.info.split(/\s+/)
    if (language !== 'ts') return []
    const line = firstLine + fence.start
    if (words.length > 0 && words.join(' ') !== 'no-run') {
      throw new Error(`${file}:${line} has "${fence.info}" at its fence; "ts" and "ts no-run" are known`)
    }
    const next = fences[index + 1]
    const follows =
      next?.info === 'text' && lines.slice(fence.end + 1, next.start - 1).every((text) => text.trim() === '')
    const printed = [...fence.content.matchAll(/\/\/ =>(?: (.*))?$/gm)].map((match) => `${match[1] ?? ''}\n`).join('')
    if (follows && printed !== '') {
      throw new Error(`${file}:${line} tells its output twice: behind "// =>" and in a text fence. Keep one`)
    }
    const expected = follows ? next.content : printed
    return [{ file, line, code: fence.content, run: words.length === 0, expected }]
  })
}

function findFences(file: string, lines: readonly string[], firstLine: number): Fence[] {
  const fences: Fence[] = []
  for (let index = 0; index < lines.length; index++) {
    const opening = /^(\s*)(`{3,}|~{3,})\s*(.*?)\s*$/.exec(lines[index] as string)
    if (opening === null) continue
    const [, indent = '', marks = '', info = ''] = opening
    const start = index + 1
    const length = lines.slice(start).findIndex((line) => line.trim().startsWith(marks) && /^[`~\s]+$/.test(line))
    if (length === -1) throw new Error(`${file}:${firstLine + index} opens a fence that is never closed`)
    index = start + length
    const content = lines
      .slice(start, index)
      .map((line) => `${line.startsWith(indent) ? line.slice(indent.length) : line}\n`)
    fences.push({ info, start, end: index, content: content.join('') })
  }
  return fences
}

function docComments(source: ts.SourceFile): ts.CommentRange[] {
  const comments = new Map<number, ts.CommentRange>()
  const visit = (node: ts.Node): void => {
    for (const comment of ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []) {
      if (source.text.startsWith('/**', comment.pos)) comments.set(comment.pos, comment)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return [...comments.values()]
}
