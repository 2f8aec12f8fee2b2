/**
 * What `generateContent` refuses: roles other than user and model, function responses that answer no call, and with an
 * explicit cache whatever belongs into it. The roles of function turns are free (`function` is an old name for `user`).
 */
import { fields, list, text, type Fields } from '../fields.ts'
import type { EndpointRequest, Refusal } from '../types.ts'
import { bareModel, type CachedContent, type CacheStore } from './caches.ts'
import { cacheNotFound, refuse } from './refusals.ts'

const roles = new Set(['user', 'model'])
/** Fields that an explicit cache brings; in both spellings that the API reads. */
const cachedFields = ['systemInstruction', 'system_instruction', 'tools', 'toolConfig', 'tool_config']

export function checkGenerate(request: Omit<EndpointRequest, 'id' | 'headers'>, caches: CacheStore): Refusal | null {
  const { body, account, at } = request
  const name = text(body['cachedContent'] ?? body['cached_content'])
  if (name === undefined) return checkContents(body)
  const cache = caches.find(account, name, at)
  return checkCached(request, cache) ?? checkContents(body, list(cache?.body['contents']))
}

/** What is wrong with the conversation, if anything; `before` is what an explicit cache has ahead of it. */
export function checkContents({ contents }: Fields, before: readonly unknown[] = []): Refusal | null {
  if (!Array.isArray(contents) || contents.length === 0) {
    return refuse('* GenerateContentRequest.contents: contents is not specified\n')
  }
  return checkTurns(contents, openCalls(before.at(-1)))
}

function checkTurns(contents: readonly unknown[], open: number): Refusal | null {
  let calls = open
  for (const [index, content] of contents.entries()) {
    const { role, parts } = fields(content)
    const results = count(parts, 'functionResponse')
    if (
      role !== undefined &&
      !(typeof role === 'string' && (roles.has(role) || (role === 'function' && results > 0)))
    ) {
      return refuse('Please use a valid role: user, model.')
    }
    if (list(parts).length === 0) {
      return refuse(`* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.\n`)
    }
    if (results > 0 && calls === 0) {
      return refuse('Please ensure that function response turn comes immediately after a function call turn.')
    }
    if (calls > 0 && results !== calls) {
      return refuse(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      )
    }
    calls = openCalls(content)
  }
  return null
}

/** Calls that the next content has to answer. */
function openCalls(content: unknown): number {
  const { role, parts } = fields(content)
  return role === 'model' ? count(parts, 'functionCall') : 0
}

function count(parts: unknown, kind: string): number {
  return list(parts).filter((part) => fields(part)[kind] !== undefined).length
}

function checkCached(
  { body, model }: Pick<EndpointRequest, 'body' | 'model'>,
  cache: CachedContent | undefined,
): Refusal | null {
  if (cachedFields.some((field) => body[field] !== undefined)) {
    return refuse(
      'CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.\n\n' +
        'Proposed fix: move those values to CachedContent from GenerateContent request.',
    )
  }
  if (cache === undefined) return cacheNotFound()
  if (bareModel(cache.model) === bareModel(model)) return null
  return refuse(
    `Model used by GenerateContent request (models/${bareModel(model)}) and CachedContent (models/${bareModel(cache.model)}) has to be the same.`,
  )
}
