/**
 * A prepared request that goes on from another one of the same cache: what both begin with, item by item, is not followed
 * a second time. The way of a request is kept for as long as the caller keeps the request, and no longer than that: a
 * request that was sent lets go of the one before it.
 */
import type { PreparedRequest } from '../layout/prepared.ts'
import type { Walk } from './walk.ts'

/** A request, and the one before it, or null where it begins a conversation. */
export class FollowingRequest {
  readonly request: PreparedRequest
  /** Where it led, once it was sent. */
  way: Walk | undefined = undefined
  #after: FollowingRequest | null

  constructor(request: PreparedRequest, after: FollowingRequest | null) {
    this.request = request
    this.#after = after
  }

  /** The way of the request before, once. */
  takeBefore(): Walk | undefined {
    const before = this.#after?.way
    this.#after = null
    return before
  }
}
