/**
 * The items that a request of OpenAI Responses is read as: those of the calls that it builds on by
 * `previous_response_id`, each with what it was answered, and its own. A chain whose parent is not known begins at the
 * request that names it; one that goes round ends where it would meet itself.
 */
import { RequestUnreadableError } from './errors.ts'
import { expectList, expectObject, optionalList, type Fields } from './expect.ts'
import { field } from './peek.ts'
import type { Item, ReadOptions } from './types.ts'

/** Items that set or ask something, and that the model does not see. */
const silent = new Set(['configuration_update', 'compaction_trigger'])
/** Responses in one chain: far more than a conversation has, so that a lookup that invents parents comes to an end. */
const longestChain = 10_000

/** The items of all responses that the request builds on, the oldest first, and its own. */
export function readChain(body: Fields, { previousResponse }: ReadOptions): Item[] {
  const calls: { readonly request: Fields; readonly id: string; readonly output: readonly unknown[] }[] = []
  const seen = new Set<string>()
  let request = body
  while (calls.length < longestChain) {
    const id = request['previous_response_id']
    if (typeof id !== 'string' || seen.has(id)) break
    seen.add(id)
    const previous = previousResponse?.(id)
    if (previous === undefined) break
    request = expectObject(previous.request, `previous(${id})`, 'the request body of a response')
    calls.push({ request, id, output: expectList(previous.output, `previous(${id}).output`, 'a list of items') })
  }
  const items: Item[] = []
  for (const call of calls.reverse()) {
    listItems(items, readInput(call.request, `previous(${call.id}).`), `previous(${call.id}).input`)
    listItems(items, call.output, `previous(${call.id}).output`)
  }
  listItems(items, readInput(body, ''), 'input')
  return items
}

/** Stands in for an input that may be left out, because the server has something to go on from. */
const continuing = ['previous_response_id', 'prompt', 'conversation', 'instructions']

function readInput(body: Fields, at: string): readonly unknown[] {
  const { input } = body
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  const optional = continuing.some((name) => body[name] !== undefined && body[name] !== null)
  if (optional) return optionalList(input, `${at}input`, 'a string or a list of items')
  return expectList(input, `${at}input`, 'a string or a list of items')
}

function listItems(items: Item[], raws: readonly unknown[], list: string): void {
  for (let index = 0; index < raws.length; index++) {
    const raw = raws[index]
    const role = roleOf(raw, list, index)
    if (role === null) continue
    items.push({ section: 'messages', role, list, index, raw, variant: '', mark: null })
  }
}

/** Who speaks; null where nobody does. It runs for every item of every request: a path is put together only to fail. */
function roleOf(raw: unknown, list: string, index: number): string | null {
  const type = field(raw, 'type') ?? 'message'
  if (type === 'message') {
    const role = field(raw, 'role')
    if (typeof role === 'string') return role
    // A reference may leave its type out.
    if (role === undefined && typeof field(raw, 'id') === 'string') return 'assistant'
    const path = `${list}[${index}]`
    throw new RequestUnreadableError(`${path}.role`, 'a role, or a type', expectObject(raw, path, 'an item')['role'])
  }
  if (typeof type !== 'string') {
    throw new RequestUnreadableError(`${list}[${index}].type`, 'the type of an item', type)
  }
  if (silent.has(type)) return null
  if (type === 'additional_tools') return 'developer'
  return type.endsWith('_output') || type === 'mcp_approval_response' ? 'tool' : 'assistant'
}
