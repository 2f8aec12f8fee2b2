/**
 * The requests of a group with a set of culprits frozen, one after the other. Only what a later turn goes on from is
 * kept, and only until it has.
 */
import type { CountTokens } from '../../cache/index.ts'
import type { PreparedRequest } from '../../cache/layout/prepared.ts'
import type { Culprit } from '../changes/types.ts'
import type { Requests } from '../verdicts/requests.ts'
import { freeze, type FrozenTurn } from './freeze.ts'
import type { FreezeOptions } from './freezing-turn.ts'
import { goOn } from './go-on.ts'
import type { Group, GroupTurn } from './group.ts'
import { alignByIdentity } from './identity.ts'
import { copyOf } from './copy-of.ts'
import { FrozenOpenings } from './openings.ts'
import { frozenScope } from './parameters.ts'
import { Foundry } from './slots.ts'
import type { UpdatePolicy } from './update-text.ts'

/** Makes the requests of one play. */
export class FrozenRequests {
  readonly #group: Group
  readonly #requests: Requests
  readonly #options: FreezeOptions
  readonly #openings: FrozenOpenings
  /** By turn number: null where the request is the one that was sent. */
  readonly #frozen = new Map<number, FrozenTurn | null>()
  /** How many turns still have to go on from one. */
  readonly #waiting = new Map<number, number>()
  readonly #asked = new Set<number>()

  constructor(
    group: Group,
    requests: Requests,
    options: {
      readonly culprits: readonly Culprit[]
      readonly updates: UpdatePolicy
      readonly countTokens: CountTokens
    },
  ) {
    this.#group = group
    this.#requests = requests
    const { updates, countTokens } = options
    const culprits = new Map(options.culprits.map((culprit) => [culprit.id, culprit]))
    this.#options = { culprits, updates, foundry: new Foundry(countTokens) }
    this.#openings = new FrozenOpenings(group.openings, this.#options)
    for (const { parent } of group.turns) {
      if (parent !== null) this.#waiting.set(parent.number, (this.#waiting.get(parent.number) ?? 0) + 1)
    }
  }

  /** The request of a turn; `texts` for caches in which any common start is found. */
  of(linked: GroupTurn, texts: boolean): PreparedRequest {
    const frozen = this.#freeze(linked)
    const request = this.#requests.of(linked.turn, texts, frozen?.places)
    if (frozen === null || frozen.parameters.size === 0) return request
    return copyOf(request, { scope: frozenScope(request.scope, frozen.parameters) })
  }

  /** Takes a turn into account that is not played, and that others go on from. */
  skip(linked: GroupTurn): void {
    this.#freeze(linked)
  }

  #freeze(linked: GroupTurn): FrozenTurn | null {
    // A parent may come later than its turn where the times of a log are off.
    const open: GroupTurn[] = []
    for (let at: GroupTurn | undefined = linked; at !== undefined && !this.#frozen.has(at.turn.number);) {
      open.push(at)
      at = at.parent === null ? undefined : this.#group.byNumber.get(at.parent.number)
    }
    for (const one of open.reverse()) {
      this.#frozen.set(one.turn.number, this.#fromParent(one))
      this.#letGo(one)
    }
    const frozen = this.#frozen.get(linked.turn.number) ?? null
    this.#asked.add(linked.turn.number)
    this.#forget(linked.turn.number)
    return frozen
  }

  #fromParent(call: GroupTurn): FrozenTurn | null {
    const { turn, parent, alignment, culprits } = call
    if (parent === null) return this.#openings.of(turn)
    if (turn.places.length === 0) return null
    const before = this.#frozen.get(parent.number) ?? null
    if (before === null && !culprits.some((culprit) => this.#options.culprits.has(culprit))) return null
    return (
      goOn(call, before, this.#options) ?? freeze(alignment ?? alignByIdentity(turn, parent), before, this.#options)
    )
  }

  #letGo({ parent }: GroupTurn): void {
    if (parent === null) return
    const left = (this.#waiting.get(parent.number) ?? 1) - 1
    if (left > 0) this.#waiting.set(parent.number, left)
    else this.#waiting.delete(parent.number)
    this.#forget(parent.number)
  }

  #forget(number: number): void {
    if (this.#asked.has(number) && !this.#waiting.has(number)) this.#frozen.delete(number)
  }
}
