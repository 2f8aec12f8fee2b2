/** A turn as the simulator is given it: with what is known to count, by the model that answered. */
import { PreparedRequest, type PreparedPlace } from '../../cache/layout/prepared.ts'
import { isSameModel } from '../../cache/index.ts'
import type { Place, Turn } from '../record/types.ts'
import type { LinkedTurn } from '../streams/types.ts'
import { HeaderBlocks } from './header-blocks.ts'
import type { Scopes } from './scopes.ts'

/** Makes requests of turns. */
export class Requests {
  readonly #headers: HeaderBlocks
  /** By the model that was asked for: another that was seen to answer. */
  readonly #served = new Map<string, string>()
  /** By the model that was asked for and the one that answered: names are compared by patterns. */
  readonly #others = new Map<string | undefined, Map<string | undefined, string | undefined>>()

  constructor(linked: readonly LinkedTurn[], scopes: Scopes) {
    this.#headers = new HeaderBlocks(linked, scopes)
    for (const { turn } of linked) {
      const served = this.#otherModelOf(turn)
      if (served !== undefined && turn.model !== undefined) this.#served.set(turn.model, served)
    }
  }

  /** The elements that count. */
  placesOf(turn: Turn): readonly Place[] {
    return this.#headers.standIn(turn, turn.places)
  }

  /**
   * The request, of other elements than the turn's own where they are given; `texts` for caches in which any common start
   * is found. Throws a `TypeError` for a turn without a body.
   */
  of(turn: Turn, texts: boolean, places: readonly PreparedPlace[] = turn.places): PreparedRequest {
    const { format, automatic, settings } = turn
    if (format === null) throw new TypeError('A turn without a body cannot be played.')
    const model = this.modelOf(turn)
    const scope =
      model === turn.model || model === undefined
        ? turn.scope
        : turn.scope.map((parameter) => (parameter.name === 'model' ? { ...parameter, value: model } : parameter))
    const items = this.#headers.standIn(turn, places)
    return new PreparedRequest({ format, model, items, scope, automatic, settings, texts })
  }

  /** The model whose cache it is: that which answered, where it is not the one that was asked for. */
  modelOf(turn: Turn): string | undefined {
    if (turn.answer.model !== undefined || turn.model === undefined) return this.#otherModelOf(turn) ?? turn.model
    return this.#served.get(turn.model) ?? turn.model
  }

  #otherModelOf(turn: Turn): string | undefined {
    const { model, answer } = turn
    const known = this.#others.get(model) ?? new Map<string | undefined, string | undefined>()
    this.#others.set(model, known)
    if (!known.has(answer.model)) known.set(answer.model, otherModelOf(turn))
    return known.get(answer.model)
  }
}

/** The model that answered, where it is another than was asked for, and not only called by another name. */
function otherModelOf({ model, answer }: Turn): string | undefined {
  if (model === undefined || answer.model === undefined) return undefined
  const [asked, served] = [nameOf(model), nameOf(answer.model)]
  const isSame = isSameModel(asked, served) || served.startsWith(asked) || asked.startsWith(served)
  return isSame ? undefined : answer.model
}

function nameOf(model: string): string {
  return model.toLowerCase().replace(/^.*\//, '').replace(/:.*$/, '')
}
