/** What blocks of tools, calls and results say, in any format: names, ids, and their content without either. */
import type { Block } from '../record/types.ts'

/** Keys under which a format wraps the call or result itself. */
const wrappers = ['toolUse', 'toolResult', 'functionCall', 'functionResponse', 'toolSpec', 'function', 'custom']

/** True for a call of a tool or what it answered, by the type of its block. */
export function isCallOrResult({ type, section }: Pick<Block, 'type' | 'section'>): boolean {
  return section === 'messages' && /tool|function|_call|shell/i.test(type) && type !== 'tool'
}

/** True for what a tool answered. */
export function isResult(block: Pick<Block, 'type' | 'section'>): boolean {
  return isCallOrResult(block) && /result|output|response/i.test(block.type)
}

/** True for pictures and files, whose content is bytes. */
export function isMedia({ type }: Pick<Block, 'type'>): boolean {
  return /^(image|image_url|input_image|input_file|input_audio|file|document|inlineData|fileData|video|audio)$/.test(
    type,
  )
}

/** True for what a model thought. */
export function isThinking({ type }: Pick<Block, 'type'>): boolean {
  return /^(thinking|redacted_thinking|reasoning|reasoningContent|thought)$/.test(type)
}

/** True for what a model wrote. */
export function isModelRole(role: string): boolean {
  return role === 'assistant' || role === 'model'
}

/** The JSON of a block; undefined where it is none. */
export function jsonOf(text: string | null): unknown {
  if (text === null || (text[0] !== '{' && text[0] !== '[')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A member of an object; undefined for anything else. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** The name of a tool definition, else its type; undefined where the text is gone or says neither. */
export function toolName(text: string | null): string | undefined {
  const tool = jsonOf(text)
  const places = [tool, ...wrappers.map((name) => member(tool, name))]
  const name = places.map((place) => member(place, 'name')).find((found) => typeof found === 'string')
  const other =
    name ?? member(tool, 'type') ?? (typeof tool === 'object' && tool !== null ? Object.keys(tool)[0] : undefined)
  return typeof other === 'string' ? other : undefined
}

/** Where in a text something stands. */
interface Extent {
  readonly start: number
  readonly end: number
}

const idMember = /"(?:id|tool_use_id|tool_call_id|call_id|toolUseId)":"([^"\\]*)"/g
/** Units at either end of a call or result in which its id is looked for: what lies between may be long. */
const ID_REACH = 256

/** Where the id stands by which a call and its result are paired; null where none is found. */
export function callId(text: string): Extent | null {
  idMember.lastIndex = 0
  const first = idMember.exec(text.slice(0, ID_REACH))
  if (first !== null) return extentOf(first, 0)
  const offset = Math.max(0, text.length - ID_REACH)
  const last = [...text.slice(offset).matchAll(idMember)].at(-1)
  return last === undefined ? null : extentOf(last, offset)
}

function extentOf({ 0: whole, 1: id = '', index }: RegExpExecArray, offset: number): Extent {
  const end = offset + index + whole.length - 1
  return { start: end - id.length, end }
}

/** True when a difference lies in one id alone. */
export function isInId(stretch: Extent, id: Extent | null): boolean {
  return id !== null && stretch.start >= id.start && stretch.end <= id.end
}

/** What a call or result is told by, its id aside: how long it is, how it begins and ends. */
export function callKey(text: string): string {
  const id = callId(text)
  if (id === null) return `${text.length} ${text.slice(0, KEY)} ${text.slice(-KEY)}`
  const head = text.slice(0, Math.min(KEY, id.start))
  const tail = text.slice(Math.max(text.length - KEY, id.end))
  const middle = id.start < KEY ? text.slice(id.end, id.end + KEY) : text.slice(Math.max(0, id.start - KEY), id.start)
  return `${text.length - (id.end - id.start)} ${head} ${middle} ${tail}`
}

const KEY = 64

/** JSON with keys in one order, strings that hold JSON opened, so that two writings of one value are alike. */
export function inOneOrder(value: unknown, depth = 0): unknown {
  if (depth > MOST_DEPTH) return value
  if (typeof value === 'string') {
    const inner = jsonOf(value)
    return inner === undefined ? value : inOneOrder(inner, depth + 1)
  }
  if (Array.isArray(value)) return value.map((one) => inOneOrder(one, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, one]) => [key, inOneOrder(one, depth + 1)] as const)
  return entries.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
}

const MOST_DEPTH = 100
