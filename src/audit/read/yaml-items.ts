/**
 * YAML files that are lists of records, cut into records by their lines, so that a file of any size is parsed one record
 * at a time.
 *
 * Cutting needs no parser: no line inside of a value can begin where the dashes of the list stand, and none can begin with
 * the `---` that parts documents. The odd case is an anchor in one record that a later one refers to (PyYAML writes them
 * for headers that two requests share): small anchored nodes are remembered. Blank lines are content here, and come back
 * as empty ones: no recorder writes blanks at the end of a line of a block.
 */
import { parseDocument, visit, type Document, type Node, type ScalarTag, type Tags } from 'yaml'
import { withBlank } from './blank-lines.ts'
import type { Line, Unread } from './types.ts'

/** The text of one record, and the line that it begins at. */
export interface YamlItem {
  readonly text: string
  readonly line: number
}

/** What a record holds, or what is wrong with it and in which line of the file. */
export type YamlRecord =
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'broken'; readonly line: number; readonly message: string }

/** Where a record is reported that is longer than the limit. */
type Report = (problem: Omit<Unread, 'file'>) => void

/** As much of one record as is held in memory, in characters. */
const MAX_ITEM = 67_108_864

/**
 * The records of the list below the top-level key `key` (a pattern that matches its whole line); longer ones than `limit`
 * characters are reported.
 */
export async function* yamlListItems(
  lines: AsyncIterable<Line>,
  key: RegExp,
  report: Report,
  limit: number = MAX_ITEM,
): AsyncGenerator<YamlItem> {
  const item = new Collector(report, limit)
  let state: 'outside' | 'before' | 'inside' = 'outside'
  let indent = ''
  for await (const { text, line } of withBlank(lines)) {
    if (state === 'outside') {
      if (key.test(text)) state = 'before'
      continue
    }
    const blank = text.trim() === '' || /^\s*#/.test(text)
    if (state === 'before') {
      if (blank) continue
      const dash = /^( *)-(?: |$)/.exec(text)
      if (dash === null) {
        state = 'outside'
        continue
      }
      indent = dash[1] ?? ''
      state = 'inside'
    }
    if (text.startsWith(`${indent}- `) || text === `${indent}-`) {
      yield* item.take()
      item.begin(line)
    } else if (!blank && !text.startsWith(`${indent} `)) {
      yield* item.take()
      state = key.test(text) ? 'before' : 'outside'
      continue
    }
    item.add(text)
  }
  yield* item.take()
}

/** The documents of a file, which `---` parts; longer ones than `limit` characters are reported. */
export async function* yamlDocuments(
  lines: AsyncIterable<Line>,
  report: Report,
  limit: number = MAX_ITEM,
): AsyncGenerator<YamlItem> {
  const item = new Collector(report, limit)
  for await (const { text, line } of withBlank(lines)) {
    if (/^---(?:\s|$)/.test(text) || /^\.\.\.\s*$/.test(text)) {
      yield* item.take()
      const rest = text.slice(3)
      if (rest.trim() === '' || rest.trim().startsWith('#')) continue
      item.begin(line)
      item.add(rest)
      continue
    }
    if (!item.isOpen && text.trim() === '') continue
    if (!item.isOpen) item.begin(line)
    item.add(text)
  }
  yield* item.take()
}

/** The lines of one record as they come, up to the limit. */
class Collector {
  readonly #report: Report
  readonly #limit: number
  #lines: string[] = []
  #line: number | null = null
  #size = 0

  constructor(report: Report, limit: number) {
    this.#report = report
    this.#limit = limit
  }

  get isOpen(): boolean {
    return this.#line !== null
  }

  begin(line: number): void {
    this.#line = line
  }

  add(text: string): void {
    this.#size += text.length + 1
    if (this.#size <= this.#limit) this.#lines.push(text)
    else this.#lines = []
  }

  /** The record so far, if it is one, and a new beginning. */
  *take(): Generator<YamlItem> {
    const [line, size, lines] = [this.#line, this.#size, this.#lines]
    this.#line = null
    this.#size = 0
    this.#lines = []
    if (line === null) return
    if (size <= this.#limit) yield { text: `${lines.join('\n')}\n`, line }
    else {
      const message = `A record of ${size} characters is longer than the ${this.#limit} that are read; it is left out.`
      this.#report({ line, kind: 'too-large', message })
    }
  }
}

/** Parses the records of one file in their order. Never throws. */
export function createYamlParser(): (item: YamlItem) => YamlRecord {
  const anchors = new Anchors()
  return ({ text, line }) => {
    try {
      const document = parseDocument(text, { customTags: recordersTags, uniqueKeys: false, logLevel: 'silent' })
      const [problem] = document.errors
      if (problem !== undefined) {
        const message = `This record is no YAML (${problem.code}).`
        const last = text.split('\n').length - 2
        return { type: 'broken', line: line + Math.min((problem.linePos?.[0].line ?? 1) - 1, last), message }
      }
      if (mayRefer.test(text)) anchors.resolve(document)
      return { type: 'value', value: document.toJS() as unknown }
    } catch {
      return { type: 'broken', line, message: 'This record refers to what stands nowhere, or to itself.' }
    }
  }
}

/** An anchor or a reference as the whole rest of a line, which is how recorders write them. */
const mayRefer = /[:-] +[&*][\w-]+ *$/m

const MAX_ANCHORED_CHARACTERS = 1_048_576

class Anchors {
  readonly #nodes = new Map<string, Node>()
  #room = MAX_ANCHORED_CHARACTERS

  resolve(document: Document): void {
    const here = new Set<string>()
    visit(document, {
      Node: (_key, node) => {
        if (!('anchor' in node) || node.anchor === undefined) return
        here.add(node.anchor)
        const [start, end] = node.range ?? [0, Infinity]
        this.#room -= end - start
        if (this.#room > 0) this.#nodes.set(node.anchor, node)
        else this.#nodes.delete(node.anchor)
      },
      Alias: (_key, alias) => (here.has(alias.source) ? undefined : this.#nodes.get(alias.source)),
    })
  }
}

/**
 * Which plain words are numbers. PyYAML leaves `1e5`, `08` and `0o7` without quotes when they are text; only what is a
 * number to it, too, is read as one. Bytes are `!!binary`, which YAML 1.2 leaves out.
 */
function recordersTags(tags: Tags): Tags {
  const kept = tags.flatMap((tag): Tags => {
    if (typeof tag !== 'object' || !isNumber(tag)) return [tag]
    if (tag.format === 'OCT') return []
    if (tag.format === 'EXP') return [{ ...tag, test: /^[-+]?(?:\d+\.\d*|\.\d+)[eE][-+]\d+$/ }]
    if (tag.format === undefined && tag.tag.endsWith(':int')) return [{ ...tag, test: /^[-+]?(?:0|[1-9]\d*)$/ }]
    return [tag]
  })
  return [...kept, 'binary']
}

function isNumber(tag: { readonly tag: string }): tag is ScalarTag {
  return /:(?:int|float)$/.test(tag.tag)
}
