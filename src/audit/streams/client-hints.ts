/** What the ids of two calls say of each other. They narrow a choice, and a log that lacks them says nothing. */
import type { ExchangeIds } from '../exchange.ts'
import type { Turn } from '../record/types.ts'

/** Neither says that another part of the client made it. */
export function isOfAgent(earlier: Turn, later: Turn): boolean {
  const [one, other] = [earlier.exchange.ids, later.exchange.ids]
  return agrees(one, other, 'agent') !== false && agrees(one, other, 'isSubagent') !== false
}

/** Undefined where one of them does not say. */
export function sameSession(earlier: Turn, later: Turn): boolean | undefined {
  return agrees(earlier.exchange.ids, later.exchange.ids, 'session')
}

/** Undefined where one does not say. */
function agrees(one: ExchangeIds, other: ExchangeIds, name: 'agent' | 'isSubagent' | 'session'): boolean | undefined {
  const [left, right] = [one[name], other[name]]
  return left === undefined || right === undefined ? undefined : left === right
}
