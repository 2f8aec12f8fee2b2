/**
 * What Responses refuses. Calls and results are matched over the whole conversation, with the responses that a request
 * builds on; where they stand does not matter, except that a result follows its call.
 */
import { fields, list, text, type Fields } from '../../fields.ts'
import { providerOf } from '../../../cache/providers/provider-of.ts'
import type { EndpointRequest, Refusal } from '../../types.ts'
import { checkBreakpoints, checkCacheOptions, isMarkable, type BreakpointPlace } from '../cache-options.ts'
import { emptyArray, invalidType, invalidValue, missingParameter, refuse } from '../refusals.ts'
import { inputItems, isReference, type ResponseStore } from './store.ts'

const roles = ['assistant', 'system', 'developer', 'user']
const keptElsewhere = ['prompt', 'conversation']
const beginnings = ['previous_response_id', 'prompt', 'conversation']

/** A call, what answers it, and how OpenAI names both in its refusals. */
const callKinds = [
  { call: 'function_call', output: 'function_call_output', name: 'function call' },
  { call: 'custom_tool_call', output: 'custom_tool_call_output', name: 'custom tool call' },
] as const

type Request = Pick<EndpointRequest, 'body' | 'model' | 'account'>

export function checkResponses({ body, model, account }: Request, store: ResponseStore): Refusal | null {
  if (model === '') return missingParameter('model')
  return (
    checkInput(body) ??
    checkReferences(body, account, store) ??
    // Which calls a conversation or a template holds, only the provider knows.
    (keptElsewhere.some((name) => (body[name] ?? null) !== null)
      ? null
      : checkCalls(inputItems(body, account, store))) ??
    checkCache(body, model)
  )
}

function checkInput(body: Fields): Refusal | null {
  const { input } = body
  if (input === undefined || input === null) {
    if (beginnings.some((name) => body[name] !== undefined && body[name] !== null)) return null
    return refuse("One of 'input', 'previous_response_id', 'prompt' or 'conversation' must be provided.", {
      param: 'input',
      code: 'missing_required_parameter',
    })
  }
  if (typeof input === 'string') return null
  if (!Array.isArray(input)) return invalidType('input', 'one of a string or array of objects', input)
  const goesOn = beginnings.some((name) => body[name] !== undefined && body[name] !== null)
  if (input.length === 0 && !goesOn) return emptyArray('input')
  for (const [index, item] of input.entries()) {
    const { type, role, content } = fields(item)
    if ((type ?? 'message') !== 'message' || isReference(item)) continue
    if (typeof role !== 'string' || !roles.includes(role))
      return invalidValue(`input[${index}].role`, role ?? null, roles)
    if (typeof content !== 'string' && !Array.isArray(content)) {
      return invalidType(`input[${index}].content`, 'one of a string or array of objects', content ?? null)
    }
  }
  return null
}

function checkReferences(body: Fields, account: string, store: ResponseStore): Refusal | null {
  const previous = text(body['previous_response_id'])
  if (previous !== undefined && store.find(account, previous) === undefined) {
    return refuse(`Previous response with id '${previous}' not found.`, {
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    })
  }
  for (const item of list(body['input'])) {
    if (isReference(item) && store.item(account, item.id) === undefined) {
      return refuse(
        `Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false. ` +
          'Try again with `store` set to true, or remove this item from your input.',
        { param: 'input', status: 404 },
      )
    }
  }
  return null
}

function checkCalls(items: readonly unknown[]): Refusal | null {
  for (const kind of callKinds) {
    const open = new Set<string>()
    const called = new Set<string>()
    for (const item of items) {
      const { type, call_id: id, async: answeredLater } = fields(item)
      if (type === kind.call) {
        called.add(String(id))
        if (answeredLater !== true) open.add(String(id))
      } else if (type === kind.output) {
        if (!called.has(String(id))) {
          return refuse(`No tool call found for ${kind.name} output with call_id ${String(id)}.`, { param: 'input' })
        }
        open.delete(String(id))
      }
    }
    for (const id of open) return refuse(`No tool output found for ${kind.name} ${id}.`, { param: 'input' })
  }
  return null
}

function checkCache(body: Fields, model: string): Refusal | null {
  if (providerOf(model) !== 'openai') return null
  return checkCacheOptions(body, model, 'responses') ?? checkBreakpoints(places(body), model)
}

function* places(body: Fields): Iterable<BreakpointPlace> {
  for (const [index, tool] of list(body['tools']).entries()) {
    yield { path: `tools[${index}]`, value: tool, allowed: false }
  }
  for (const [index, block] of list(body['instructions']).entries()) {
    yield { path: `instructions[${index}]`, value: block, allowed: false }
  }
  for (const [index, item] of list(body['input']).entries()) {
    const path = `input[${index}]`
    yield { path, value: item, allowed: false }
    const { content, output, tools } = fields(item)
    for (const [name, blocks] of Object.entries({ content, output })) {
      for (const [at, block] of list(blocks).entries()) {
        const allowed = isMarkable(fields(block)['type'])
        yield { path: `${path}.${name}[${at}]`, value: block, allowed }
      }
    }
    for (const [at, tool] of list(tools).entries()) {
      yield { path: `${path}.tools[${at}]`, value: tool, allowed: false }
    }
  }
}
