/**
 * Families: conversations whose tools and instructions are alike, found while texts are still at hand. What differs inside
 * of a family differs between sessions.
 *
 * Likeness is not transitive: a conversation that is like two families joins them. Those with neither tools nor
 * instructions are compared by how they open.
 */
import { shortDigest } from './stream-id.ts'
import { isKindred, type HeaderComparison } from './header-likeness.ts'
import type { Header } from './header.ts'
import { isEdited } from './likeness.ts'
import type { Block } from '../record/types.ts'
import type { Prompt } from './prompt.ts'

/** A first turn by which others are known to belong. */
interface Model {
  readonly provider: string
  readonly header: Header
  readonly opening: Block | undefined
  readonly key: number
}

/** Models that later conversations are compared with. */
const KEPT = 16

/** The families of a log. */
export class Families {
  readonly #comparison: HeaderComparison
  readonly #models: Model[] = []
  /** joined[key]: a family that is the same one, at last itself. */
  readonly #joined: number[] = []

  constructor(comparison: HeaderComparison) {
    this.#comparison = comparison
  }

  /** A number for the family of a first turn; see {@link resolve}. */
  of({ turn, header, messages }: Prompt): number {
    const { provider } = turn
    const [opening] = messages
    const alike = this.#models.filter((model) => model.provider === provider && this.#isAlike(model, header, opening))
    const [first, ...others] = alike.map(({ key }) => this.resolve(key))
    for (const other of others) this.#joined[other] = first ?? other
    const key = first ?? this.#joined.push(this.#joined.length) - 1
    if (alike.some((model) => model.header === header)) return key
    if (this.#models.unshift({ provider, header, opening, key }) > KEPT) this.#models.pop()
    return key
  }

  /** The same number for all that were found to be one family. */
  resolve(key: number): number {
    let root = key
    while (root !== this.#joined[root]) root = this.#joined[root] ?? root
    return root
  }

  #isAlike(model: Model, header: Header, opening: Block | undefined): boolean {
    const likeness = this.#comparison.of(model.header, header)
    if (likeness.tools !== null || likeness.system !== null) return isKindred(likeness)
    if (model.opening === undefined || opening === undefined) return false
    return model.opening === opening || isEdited(model.opening, opening)
  }
}

/** A name for a family, by the streams in it. */
export function familyId(streams: readonly string[]): string {
  return shortDigest(`family ${streams.toSorted()[0] ?? ''}`)
}
