/**
 * Gemini `generateContent`, on the Developer API and on Vertex, and the body that creates a `cachedContents` entry.
 *
 * Keys may be in camel or in snake case, and a list of one may be sent as its element; both are the same request. The
 * system instruction and the tools are taken to stand ahead of the contents; the provider does not say in which order.
 * An explicit cache is a prefix: its own body where the caller knows it, else one segment of unknown size. Google
 * publishes no table of what a change of `toolConfig`, `thinkingConfig` or `responseSchema` loses, so the model is all
 * that is reported as scope.
 */
import { RequestUnreadableError } from './errors.ts'
import { contentJson, expectObject, expectString, type Fields } from './expect.ts'
import { mediaTokens } from './media.ts'
import { has } from './peek.ts'
import type { FormatReader, Item, ItemSegment, ReadOptions, ScopeParameter } from './types.ts'

/** Reads bodies of `generateContent`. */
export const gemini: FormatReader = {
  id: 'gemini',

  order: {
    sections: ['system', 'tools', 'messages'],
    keyOrder: { schemas: true, inputs: true },
    since: '2026-11-30',
    source: 'https://ai.google.dev/gemini-api/docs/caching',
    confidence: 'assumed',
  },

  recognises(body) {
    if (body['messages'] !== undefined || body['input'] !== undefined) return false
    const contents = body['contents']
    return Array.isArray(contents) || has(contents, 'parts') || has(pick(body, 'systemInstruction'), 'parts')
  },

  read(body, options) {
    const model = typeof body['model'] === 'string' ? body['model'] : options.model
    const items = [...readCache(body, options), ...readBody(body, '')]
    if (items.length === 0 && pick(body, 'contents') === undefined) {
      throw new RequestUnreadableError('contents', 'a list of contents', undefined)
    }
    return { format: 'gemini', model, items, scope: readScope(model), automatic: null, settings: {} }
  },

  split(item) {
    const path = item.index < 0 ? item.list : `${item.list}[${item.index}]`
    const list = item.list.slice(item.list.lastIndexOf('.') + 1)
    if (list === 'cachedContent') {
      return [{ ...textSegment(expectString(item.raw, path), ''), type: 'cached_content', joined: false, text: '' }]
    }
    const raw = expectObject(item.raw, path)
    if (list === 'tools') return toolSegments(raw, path)
    if (list === 'parts') return [partSegment(raw, path, '')]
    return pickList(raw, 'parts', path, 'a list of parts').map(({ raw: part, index }) => {
      const suffix = `.parts[${index}]`
      return { ...partSegment(expectObject(part, path + suffix, 'a part'), path, suffix), joined: index > 0 }
    })
  },
}

function readCache(body: Fields, { cachedContent }: ReadOptions): readonly Item[] {
  const name = pick(body, 'cachedContent')
  if (name === undefined) return []
  const known = cachedContent?.(expectString(name, 'cachedContent', 'the name of a cache'))
  if (known !== undefined && known !== null) {
    return readBody(expectObject(known, 'cachedContent', 'the body that the cache was created with'), 'cachedContent.')
  }
  const item = { section: 'system', role: 'system', list: 'cachedContent', index: -1, variant: '', mark: null } as const
  return [{ ...item, raw: expectString(name, 'cachedContent', 'the name of a cache') }]
}

function readBody(body: Fields, at: string): readonly Item[] {
  return [...readSystem(body, at), ...readTools(body, at), ...readContents(body, at)]
}

function readSystem(body: Fields, at: string): readonly Item[] {
  const system = pick(body, 'systemInstruction')
  if (system === undefined) return []
  const path = `${at}systemInstruction`
  const content = expectObject(system, path, 'a content with parts')
  return pickList(content, 'parts', path, 'a list of parts').map(({ raw, index }) => ({
    section: 'system',
    role: 'system',
    list: `${path}.parts`,
    index,
    raw,
    variant: '',
    mark: null,
  }))
}

function readTools(body: Fields, at: string): readonly Item[] {
  if (pick(body, 'tools') === undefined) return []
  return pickList(body, 'tools', at, 'a list of tools').map(({ raw, index }) => {
    expectObject(raw, `${at}tools[${index}]`, 'a tool')
    return { section: 'tools', role: 'tool', list: `${at}tools`, index, raw, variant: '', mark: null }
  })
}

function readContents(body: Fields, at: string): readonly Item[] {
  if (pick(body, 'contents') === undefined) return []
  return pickList(body, 'contents', at, 'a list of contents').map(({ raw, index }) => {
    const path = `${at}contents[${index}]`
    const role = expectObject(raw, path, 'a content')['role'] ?? 'user'
    if (typeof role !== 'string') throw new RequestUnreadableError(`${path}.role`, 'a role', role)
    return { section: 'messages', role, list: `${at}contents`, index, raw, variant: '', mark: null }
  })
}

function readScope(model: string | undefined): readonly ScopeParameter[] {
  // A cache names its model with its path, a URL does not.
  const value = model === undefined ? null : model.slice(model.lastIndexOf('/') + 1)
  return [{ name: 'model', value, invalidates: gemini.order.sections, confidence: 'assumed' }]
}

/** A tool is a list of functions, or one that the provider brings; each is a segment. */
function toolSegments(tool: Fields, path: string): readonly ItemSegment[] {
  const functions = pick(tool, 'functionDeclarations')
  const declared = functions === undefined ? [] : pickList(tool, 'functionDeclarations', path, 'a list of functions')
  const segments = declared.map(({ raw, index }) => {
    const suffix = `.functionDeclarations[${index}]`
    return toolSegment(expectObject(raw, path + suffix, 'a function declaration'), path, suffix)
  })
  const { functionDeclarations: _functions, ...others } = camelKeys(tool)
  return Object.keys(others).length === 0 ? segments : [...segments, toolSegment(others, path, '')]
}

function toolSegment(tool: Fields, path: string, suffix: string): ItemSegment {
  const content = contentJson(camelKeys(tool), [], gemini.order.keyOrder.schemas, path + suffix)
  return { path: suffix, type: 'tool', content, joined: true, mark: null, markable: false }
}

/** Keys that say how a part is to be taken, and do not make it the kind of part that it is. */
const modifiers = new Set(['thought', 'thoughtSignature', 'videoMetadata', 'mediaResolution', 'partMetadata'])

function partSegment(raw: Fields, path: string, suffix: string): ItemSegment {
  const part = camelKeys(raw)
  const keys = Object.keys(part)
  const kind = keys.find((key) => !modifiers.has(key)) ?? keys[0]
  if (kind === undefined) throw new RequestUnreadableError(path + suffix, 'a part with content', raw)
  const text = kind === 'text' ? expectString(part['text'], `${path + suffix}.text`) : undefined
  const thought = part['thought'] === true
  if (text !== undefined && !thought && part['thoughtSignature'] === undefined) return textSegment(text, suffix)
  const inner = part[kind]
  const value =
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? camelKeys(inner as Fields) : inner
  const tokens = mediaTokens('gemini', kind)
  return {
    ...textSegment('', suffix),
    type: thought ? 'thought' : kind,
    content: contentJson({ ...part, [kind]: value }, [], gemini.order.keyOrder.inputs, path + suffix),
    ...(text === undefined ? {} : { text }),
    ...(tokens === undefined ? {} : { text: '', tokens }),
  }
}

function textSegment(text: string, path: string): ItemSegment {
  return { path, type: 'text', content: text, joined: true, mark: null, markable: false }
}

/** The value under a name in camel case or, failing that, the same name in snake case; undefined where it is null. */
function pick(fields: Fields, name: string): unknown {
  return fields[name] ?? fields[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] ?? undefined
}

/** A list of objects, or the one object that stands for it. */
function pickList(
  fields: Fields,
  name: string,
  at: string,
  expected: string,
): readonly { readonly raw: unknown; readonly index: number }[] {
  const value = pick(fields, name)
  if (Array.isArray(value)) return value.map((raw: unknown, index) => ({ raw, index }))
  const path = at === '' || at.endsWith('.') ? at + name : `${at}.${name}`
  return [{ raw: expectObject(value, path, expected), index: 0 }]
}

/** What is set, by its name in camel case. Null is the same as not set. */
function camelKeys(fields: Fields): Fields {
  const set = Object.keys(fields).filter((key) => fields[key] !== undefined && fields[key] !== null)
  return Object.fromEntries(
    set.map((key) => [key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), fields[key]]),
  )
}
