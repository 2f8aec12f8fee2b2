/**
 * What a cache made of each turn, and why.
 *
 * All turns of one scope run through one simulator by time; a loss is what that simulator could not read, and the
 * comparison with the parent explains it. The report of the turn itself has the last word on whether something was lost
 * at all. Where nothing can be simulated, reports are compared with each other.
 *
 * The verdict is the reason without which most would have been read; ties go in the order of the kinds, so that a turn
 * which lost nothing is what it is to its conversation.
 */
import type { CountTokens, Lifetime } from '../../cache/index.ts'
import type { Turn } from '../record/types.ts'
import type { LinkedTurn, Stream } from '../streams/types.ts'
import { Comparisons, type Comparison } from './comparisons.ts'
import { confusionOf } from './confusion.ts'
import { segmentsThrough } from './common-prefix.ts'
import { changedScope, extentOf } from './extent.ts'
import { lossFromUsage, paidLifetime } from './from-usage.ts'
import { missingOf } from './lacking.ts'
import { lossOf, lossWithoutParent, type Compared } from './losses.ts'
import type { Holder } from './low-read.ts'
import { overLimit } from './over-limit.ts'
import { play, type PlayedTurn } from './play.ts'
import { readOf } from './reported.ts'
import { Requests } from './requests.ts'
import { Scopes } from './scopes.ts'
import { goesOn, standingOf } from './standing.ts'
import { toleranceOf } from './tolerance.ts'
import type { Confusion, Reason, Uncorrected, Verdict } from './types.ts'
import { playUncorrected } from './uncorrected.ts'
import { verdictOf } from './verdict-of.ts'
import { weigh } from './weigh.ts'

/** What judging needs from outside. */
export interface JudgeOptions {
  /** The recorder's: counts what stands for a block. */
  readonly countTokens: CountTokens
  /** Of turns that were compared when their texts were at hand. */
  readonly comparisons?: Comparisons
}

/** All verdicts, and what other plays of the same turns need. */
export interface Judgement {
  /** By turn number. */
  readonly verdicts: ReadonlyMap<number, Verdict>
  readonly confusion: readonly Confusion[]
  readonly scopes: Scopes
  readonly requests: Requests
}

/** Judges every turn of every stream. */
export function judge(streams: readonly Stream[], options: JudgeOptions): Judgement {
  const { countTokens, comparisons = new Comparisons() } = options
  const linked = streams.flatMap(({ turns }) => turns)
  const turns = linked.map(({ turn }) => turn)
  const scopes = new Scopes(turns)
  const requests = new Requests(linked, scopes)
  const playing = { countTokens, scopes, requests }
  const played = play(linked, playing)
  const bench = new Bench(scopes, requests, played, playUncorrected(linked, playing, played), comparisons)
  const verdicts = new Map(linked.map((each) => [each.turn.number, bench.judge(each)]))
  return { verdicts, confusion: confusionOf(verdicts.values()), scopes, requests }
}

class Bench {
  readonly #scopes: Scopes
  readonly #requests: Requests
  readonly #played: ReadonlyMap<number, PlayedTurn>
  readonly #uncorrected: ReadonlyMap<number, PlayedTurn>
  readonly #comparisons: Comparisons
  /** Scopes of which something was cached before the log begins. */
  readonly #warm = new Set<string>()
  /** The lifetime that was last paid for, by turn number. */
  readonly #paid = new Map<number, Lifetime | null>()

  constructor(
    scopes: Scopes,
    requests: Requests,
    played: ReadonlyMap<number, PlayedTurn>,
    uncorrected: ReadonlyMap<number, PlayedTurn>,
    comparisons: Comparisons,
  ) {
    this.#scopes = scopes
    this.#requests = requests
    this.#played = played
    this.#uncorrected = uncorrected
    this.#comparisons = comparisons
  }

  judge(linked: LinkedTurn): Verdict {
    const { turn, parent } = linked
    this.#paid.set(turn.number, paidLifetime(turn) ?? this.#paid.get(parent?.number ?? -1) ?? null)
    if (turn.failed) return verdictOf(linked, null, { reasons: [overLimit(turn) ?? failed] })
    const played = this.#played.get(turn.number)
    const comparison = parent === null ? null : this.#compare(turn, parent)
    return played === undefined ? this.#byUsage(linked, comparison) : this.#byPlay(linked, played, comparison)
  }

  #compare(turn: Turn, parent: Turn): Comparison | null {
    return this.#comparisons.of(turn, parent, this.#requests.placesOf(turn), this.#requests.placesOf(parent))
  }

  #byPlay(linked: LinkedTurn, played: PlayedTurn, comparison: Comparison | null): Verdict {
    const { turn, parent } = linked
    const compared = comparison === null ? null : this.#compared(played, comparison, this.#played)
    const weighed = weigh({
      ...this.#holderOf(linked, played, compared),
      played,
      loss: compared === null ? lossWithoutParent(played) : lossOf(compared),
      scopes: this.#scopes,
      requests: this.#requests,
    })
    const { loss, note, report, missing } = weighed
    const readsMore = report === 'above'
    const scope = this.#scopes.keyOf(turn)
    if (parent === null && readsMore) this.#warm.add(scope)
    const continues = compared === null || goesOn(compared) || (readsMore && loss.tokens === 0)
    const isWarm = report !== null && (played.prediction.range.most > 0 || readsMore)
    const lifetime = compared?.extent?.lifetime.least ?? Infinity
    const refused = overLimit(turn)
    const standing = standingOf({ ...linked, readsMore, continues, note })
    return verdictOf(linked, comparison, {
      reasons: [...standing, ...loss.reasons, ...(refused === null ? [] : [refused])],
      loss,
      uncorrected: this.#uncorrectedOf(linked, comparison),
      played,
      // What was there before the log began, nobody can predict.
      reproduced: !isWarm || (readsMore && this.#warm.has(scope)) ? null : report === 'within',
      missing,
      ttlSeconds: lifetime === Infinity ? null : lifetime / 1000,
    })
  }

  #uncorrectedOf({ turn, parent }: LinkedTurn, comparison: Comparison | null): Uncorrected | null {
    const played = this.#uncorrected.get(turn.number)
    // Of a parent without a body nobody knows what could be read.
    if (played === undefined || (parent !== null && comparison === null)) return null
    const loss = comparison === null ? null : lossOf(this.#compared(played, comparison, this.#uncorrected))
    const reasons = loss?.reasons.filter(({ tokens }) => tokens > 0) ?? []
    return { read: played.prediction.usage.read, reasons }
  }

  /** `among` are the turns of the same play. */
  #compared(played: PlayedTurn, comparison: Comparison, among: ReadonlyMap<number, PlayedTurn>): Compared {
    const { parent, common, divergence, compaction } = comparison
    const { turn } = played
    const parentPlayed = among.get(parent.number)
    const extent = parentPlayed === undefined ? null : extentOf(parentPlayed)
    const scope = [
      ...this.#scopes.differences(parent, turn),
      ...(extent === null ? [] : changedScope(parent, turn, extent.section)),
    ]
    const isServed = this.#requests.modelOf(parent) !== this.#requests.modelOf(turn)
    if (isServed && !scope.includes('model') && turn.scope.some(({ name }) => name === 'model')) {
      scope.push('served model')
    }
    const segments = extent === null ? 0 : segmentsThrough(this.#requests.placesOf(parent), extent.path)
    const differsAt = divergence?.path ?? null
    return {
      played,
      parent,
      parentPlayed,
      common,
      differsAt,
      compaction,
      scope,
      extent: extent && { ...extent, segments },
    }
  }

  /** Who used the entry last that is predicted to be read. */
  #holderOf(linked: LinkedTurn, played: PlayedTurn, compared: Compared | null): Holder {
    const { turn, parent, repeats } = linked
    const reach = compared?.extent?.tokens ?? 0
    const isParent = reach > 0 && reach >= played.prediction.usage.read - toleranceOf(reach, played.rules.step)
    const holder = isParent ? compared?.parentPlayed : this.#played.get(played.writer?.number ?? -1)
    return {
      holder: holder?.turn,
      follows: isParent && compared?.differsAt === null && !repeats && turn.tokens > (parent?.tokens ?? 0),
      lifetime: (holder && extentOf(holder)?.lifetime.least) ?? 0,
    }
  }

  #byUsage(linked: LinkedTurn, comparison: Comparison | null): Verdict {
    const { turn, parent } = linked
    const read = readOf(turn)
    if (parent === null) {
      const readsMore = read !== undefined && read > toleranceOf(read, 1)
      return verdictOf(linked, null, {
        reasons: standingOf({ ...linked, readsMore, continues: true }),
        missing: missingOf(turn),
      })
    }
    const isRecorded = turn.exchange.events?.some(({ type }) => type === 'compaction') === true
    const loss = lossFromUsage({
      turn,
      parent,
      ttl: this.#paid.get(parent.number) ?? null,
      differsAt: comparison === null ? undefined : (comparison.divergence?.path ?? null),
      compaction: comparison === null ? (isRecorded ? 'the log records it' : null) : comparison.compaction,
      scope: this.#scopes.differences(parent, turn),
    })
    const continues = loss.reasons.length === 0 && (read !== undefined || comparison !== null)
    const reasons = [...standingOf({ ...linked, readsMore: false, continues }), ...loss.reasons]
    return verdictOf(linked, comparison, {
      reasons: reasons.length === 0 ? [nothingKnown] : reasons,
      loss,
      missing: [...loss.missing, ...missingOf(turn)],
      ttlSeconds: loss.ttlSeconds,
    })
  }
}

const failed: Reason = { kind: 'failed', tokens: 0, detail: 'The call failed, and touched no cache.' }
const nothingKnown: Reason = { kind: 'unknown', tokens: 0, detail: 'Neither a body nor usage is known.' }
