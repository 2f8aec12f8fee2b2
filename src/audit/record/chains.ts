/** What bodies refer to without holding it: earlier answers (`previous_response_id`) and explicit caches (`cachedContent`). */
import type { PreviousResponse } from '../../cache/index.ts'
import { field, has, textOf } from '../../cache/layout/peek.ts'
import type { Exchange } from '../exchange.ts'
import { outputItems } from './answer.ts'

/** Calls that can still be gone on from; far more than are in flight at one time. */
const KEPT = 512

/** The bodies that later ones may name. */
export class Chains {
  readonly #responses = new Map<string, PreviousResponse>()
  readonly #caches = new Map<string, unknown>()

  /** Keeps what an exchange may be named by. */
  note({ kind, request }: Exchange, parts: readonly unknown[]): void {
    if (kind === 'create-cache') {
      const name = parts.map((part) => textOf(part, 'name')).find((text) => text !== '')
      if (name !== undefined) this.#caches.set(name, request)
      return
    }
    if (!has(request, 'input') && !has(request, 'previous_response_id')) return
    const id = parts.map((part) => textOf(field(part, 'response') ?? part, 'id')).find((text) => text !== '')
    if (id === undefined) return
    // A stored call names its parents by reference, so a chain lives as long as its newest call.
    this.#responses.set(id, { request, output: outputItems(parts) ?? [] })
    if (this.#responses.size <= KEPT) return
    const [oldest] = this.#responses.keys()
    if (oldest !== undefined) this.#responses.delete(oldest)
  }

  /** For `readItems`. */
  readonly previousResponse = (id: string): PreviousResponse | undefined => this.#responses.get(id)

  /** For `readItems`. */
  readonly cachedContent = (name: string): unknown => this.#caches.get(name)
}
