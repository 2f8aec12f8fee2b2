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
  if (name === undefined || name === '') return checkContents(body)
  const cache = caches.find(account, name, at)
  return checkCached(request, cache) ?? checkContents(body, list(cache?.body['contents']))
}

/** What is wrong with the conversation, if anything; `before` is what an explicit cache has ahead of it. */
export function checkContents({ contents: given }: Fields, before: readonly unknown[] = []): Refusal | null {
  // One content may stand for a list of it.
  const contents = fields(given)['parts'] === undefined ? given : [given]
  if (!Array.isArray(contents) || contents.length === 0) {
    return refuse('* GenerateContentRequest.contents: contents is not specified\n')
  }
  return checkTurns(contents, openCalls(before.at(-1)))
}

function checkTurns(contents: readonly unknown[], before: number): Refusal | null {
  // Calls without a response. A streamed answer is kept as a content for each chunk, so neighbours of one role add up.
  let open = before
  let answering = false
  for (const [index, content] of contents.entries()) {
    const { role, parts } = fields(content)
    const results = count(parts, 'functionResponse')
    if (!isRole(role, results)) return refuse('Please use a valid role: user, model.')
    if (list(parts).length === 0) {
      return refuse(`* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.\n`)
    }
    if (results > 0 && open === 0) {
      return refuse('Please ensure that function response turn comes immediately after a function call turn.')
    }
    const isModel = role === 'model'
    if (results > open || (open > 0 && (isModel ? answering : results === 0))) return refuse(unequal)
    open += isModel ? count(parts, 'functionCall') : -results
    answering = !isModel && open > 0
  }
  return answering ? refuse(unequal) : null
}

const unequal =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'

/** The roles of function turns are free, and no role is the user's. */
function isRole(role: unknown, results: number): boolean {
  if (role === undefined || role === null || role === '') return true
  return typeof role === 'string' && (roles.has(role) || (role === 'function' && results > 0))
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
  if (cachedFields.some((field) => body[field] !== undefined && body[field] !== null)) {
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
