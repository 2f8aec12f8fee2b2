/** Which requests later ones go on from: each is kept until the last of them was sent. */
import { FollowingRequest } from '../../cache/simulator/following.ts'
import type { PreparedRequest } from '../../cache/layout/prepared.ts'

/** How a call stands to others, in the order in which all are played. */
export interface Follows {
  /** A later call goes on from it. */
  readonly isFollowed: boolean
  /** Of all that go on from its parent it is the last. */
  readonly isLast: boolean
}

/** A turn's number, and that of the one it goes on from. */
interface Numbered {
  readonly turn: { readonly number: number }
  readonly parent: { readonly number: number } | null
}

/** Of each call, in the order of play. */
export function followsOf(calls: readonly Numbered[]): readonly Follows[] {
  const last = new Map(calls.map(({ parent }, index) => [parent?.number, index]))
  return calls.map(({ turn, parent }, index) => ({
    isFollowed: (last.get(turn.number) ?? -1) > index,
    isLast: last.get(parent?.number) === index,
  }))
}

/** The requests of one play that are still gone on from. */
export class Followed {
  readonly #requests = new Map<number, FollowingRequest>()

  /** What a call goes on from; to be asked once for each. */
  before({ parent }: Numbered, { isLast }: Follows): FollowingRequest | null {
    if (parent === null) return null
    const before = this.#requests.get(parent.number) ?? null
    if (isLast) this.#requests.delete(parent.number)
    return before
  }

  /** The request of a call, which goes on from `before`. */
  request(
    { turn }: Numbered,
    { isFollowed }: Follows,
    request: PreparedRequest,
    before: FollowingRequest | null,
  ): FollowingRequest {
    const following = new FollowingRequest(request, before)
    if (isFollowed) this.#requests.set(turn.number, following)
    return following
  }
}
