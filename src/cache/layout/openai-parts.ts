/**
 * What OpenAI's two formats have in common: content that is a string or a list of parts, marks on parts, cache settings
 * beside the prompt, and the scope of the cache.
 *
 * A text is the same text whatever its part is called (`text`, `input_text`, `output_text`), and what a server attached
 * to it (annotations, probabilities) is not told to a model again.
 */
import type { Json } from '../../base/json.ts'
import { anthropicBreakpoints } from '../anthropic/breakpoints.ts'
import { openAIBreakpoints } from '../openai/breakpoints.ts'
import { openAIInvalidationOf } from '../openai/invalidation.ts'
import { contentJson, expectList, expectObject, expectString, type Fields } from './expect.ts'
import { mediaTokens } from './media.ts'
import { field, has } from './peek.ts'
import type { Breakpoint, ItemSegment, RequestFormat, ScopeParameter } from './types.ts'

/** Keys that mark and are no content: OpenAI's own, and the one that gateways pass on to other providers. */
export const markKeys: readonly string[] = ['prompt_cache_breakpoint', 'cache_control']

const textTypes = new Set(['text', 'input_text', 'output_text'])

/** The segments of a message's content, which `suffix` leads to from the message at `path`; all joined. */
export function contentSegments(
  content: unknown,
  path: string,
  suffix: string,
  format: RequestFormat,
): readonly ItemSegment[] {
  if (typeof content === 'string') return [textSegment(content, `${suffix}[0]`)]
  return expectList(content, path + suffix, 'a string or a list of content parts').map((raw, index) =>
    partSegment(raw, path, `${suffix}[${index}]`, format),
  )
}

/** One text, joined and not marked. */
export function textSegment(content: string, path: string): ItemSegment {
  return { path, type: 'text', content, joined: true, mark: null, markable: content.trim() !== '' }
}

/** Anything but text, joined; what `omit` names is no content. */
export function jsonSegment(type: string, block: Fields, omit: readonly string[], at: [string, string]): ItemSegment {
  const [path, suffix] = at
  const content = contentJson(block, omit, true, path + suffix)
  return { path: suffix, type, content, joined: true, mark: readMark(block), markable: false }
}

/** What one line of a message's head says about it (`name`, `phase`); nothing where it is absent. */
export function labelSegments(message: Fields, name: string, path: string): readonly ItemSegment[] {
  const value = message[name]
  if (value === undefined || value === null) return []
  const content = expectString(value, `${path}.${name}`)
  return [{ path: `.${name}`, type: name, content, joined: true, mark: null, markable: false }]
}

/** The parts of a tool's result, each with the call that it answers. */
export function resultSegments(parts: readonly ItemSegment[], type: string, call: Fields): readonly ItemSegment[] {
  return parts.map((part) => ({
    ...part,
    type,
    content: JSON.stringify({ ...call, part: part.type, content: part.content }),
    text: part.text ?? part.content,
  }))
}

/** The segments of one message: the first opens it. */
export function opened(segments: readonly ItemSegment[]): readonly ItemSegment[] {
  return segments.map((segment, index) => (index === 0 ? { ...segment, joined: false } : segment))
}

/** The lifetime of an OpenAI breakpoint is the request's, that of the others stands in the mark. */
export function readMark(block: unknown): Breakpoint | null {
  if (field(field(block, 'prompt_cache_breakpoint'), 'mode') === 'explicit') {
    return { ttl: openAIBreakpoints.lifetime, kind: 'explicit' }
  }
  return readCacheControl(field(block, 'cache_control'), 'explicit')
}

/** `cache_control`, as OpenRouter and Qwen take it in this format. */
export function readCacheControl(mark: unknown, kind: Breakpoint['kind']): Breakpoint | null {
  if (typeof mark !== 'object' || mark === null) return null
  return { ttl: field(mark, 'ttl') === '1h' ? '1h' : anthropicBreakpoints.defaultTtl, kind }
}

/** Cache settings that stand beside the prompt; what is not sent is not there. */
export function readSettings(body: Fields): { readonly [name: string]: Json } {
  const options = body['prompt_cache_options']
  const found: readonly (readonly [name: string, value: unknown])[] = [
    ['prompt_cache_options.mode', field(options, 'mode')],
    ['prompt_cache_options.ttl', field(options, 'ttl')],
    ['prompt_cache_retention', body['prompt_cache_retention']],
    ['prompt_cache_key', body['prompt_cache_key']],
  ]
  return Object.fromEntries(found.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** Those of `values` that scope the cache for this model, with `null` for what the request leaves out. */
export function scopeOf(
  values: readonly (readonly [name: string, value: unknown])[],
  model: string | undefined,
): readonly ScopeParameter[] {
  return values.flatMap(([name, value]) => {
    const rule = openAIInvalidationOf(name, model)
    if (rule === undefined) return []
    return [{ name, value: (value ?? null) as Json, invalidates: rule.sections, confidence: rule.confidence }]
  })
}

/** An output format; plain text is the same as none. The schema itself, where there is one. */
export function outputFormat(format: unknown): unknown {
  return !has(format, 'type') || field(format, 'type') === 'text' ? 'text' : format
}

function partSegment(raw: unknown, path: string, suffix: string, format: RequestFormat): ItemSegment {
  const part = expectObject(raw, path + suffix, 'a content part')
  const type = expectString(part['type'], `${path + suffix}.type`, 'the type of a part')
  if (textTypes.has(type)) {
    return { ...textSegment(expectString(part['text'], `${path + suffix}.text`), suffix), mark: readMark(part) }
  }
  const tokens = mediaTokens(format, type)
  return {
    ...jsonSegment(type, part, markKeys, [path, suffix]),
    markable: openAIBreakpoints.markable.includes(type),
    ...(tokens === undefined ? {} : { text: '', tokens }),
  }
}
