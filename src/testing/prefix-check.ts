/**
 * Holds requests against those that they go on from: which of them do not begin with all of the earlier one, in the order
 * in which their provider reads them, and what changed there.
 *
 * It is the comparison of an audit without its simulation: nothing has to be long enough to be cached, marked or in time,
 * so that a prompt of three lines stands for one of a hundred thousand tokens.
 */
import { ChangeFinder } from '../audit/changes/change-finder.ts'
import { Recorder } from '../audit/record/recorder.ts'
import type { Block, Turn } from '../audit/record/types.ts'
import { inProviderOrder } from '../audit/report/blame.ts'
import { Linker } from '../audit/streams/linker.ts'
import { isWritten, messagesOf } from '../audit/streams/messages.ts'
import type { LinkedTurn, Stream } from '../audit/streams/types.ts'
import { Comparisons } from '../audit/verdicts/comparisons.ts'
import { IndelibleError } from '../base/error.ts'
import type { CountTokens } from '../cache/index.ts'
import { breakOf, type PrefixBreak } from './prefix-break.ts'
import type { SentCall } from './sent-request.ts'

/** A break, and the numbers of the two requests. */
export interface NumberedBreak extends PrefixBreak {
  readonly request: number
  readonly previous: number
}

/** What was found. Numbers are places in the list that was handed in, from 1. */
export interface PrefixFindings {
  readonly breaks: readonly NumberedBreak[]
  readonly conversations: number
  /** Requests that were held against an earlier one. */
  readonly compared: number
  /** Requests of an agent seen before that hold answers which no earlier request led to. */
  readonly unlinked: readonly number[]
}

/** How to compare. */
export interface CheckOptions {
  /** `single`: each request goes on from the one before it, whatever is in them. */
  readonly conversations: 'linked' | 'single'
  /** A request that was not answered may not be put in another way either. */
  readonly strict?: boolean
  readonly model?: string | undefined
  readonly countTokens?: CountTokens | undefined
}

/** Compares calls, in their order. Throws an `IndelibleError` (`request_unreadable`) for a body that cannot be laid out. */
export function checkPrefixes(calls: readonly SentCall[], options: CheckOptions): PrefixFindings {
  const recorder = new Recorder({ model: options.model, countTokens: options.countTokens })
  const linker = options.conversations === 'linked' ? new Linker() : new OneConversation()
  const finder = new ChangeFinder()
  const comparisons = new Comparisons()
  const numbers = new Map<Turn, number>()
  for (const { number, exchange } of calls) {
    const turn = recorder.record(exchange)
    if (turn.unreadable !== undefined) {
      throw new IndelibleError('request_unreadable', `Request ${number}: ${turn.unreadable}`)
    }
    numbers.set(turn, number)
    const linked = linker.add(turn)
    comparisons.add(linked)
    finder.add(linked)
  }
  const streams = linker.finish()
  const changes = finder.finish(streams)
  const numberOf = (turn: Turn): number => numbers.get(turn) ?? 0
  const breaks = streams.flatMap(({ id, turns }) => {
    const { culprits = [], alignments } = changes.get(id) ?? {}
    return turns.flatMap(({ turn, parent }): NumberedBreak | readonly NumberedBreak[] => {
      if (parent === null) return []
      const alignment = alignments?.get(turn.number)
      const own = culprits.filter(
        ({ scope, occurrences }) => scope !== 'between' && occurrences.some((occurrence) => occurrence.turn === turn),
      )
      const found = breakOf({
        turn,
        parent,
        alignment,
        strict: options.strict ?? false,
        comparison: comparisons.of(turn, parent, turn.places, parent.places),
        culprits: inProviderOrder(turn, own, alignment),
      })
      return found === null ? [] : { request: numberOf(turn), previous: numberOf(parent), ...found }
    })
  })
  return {
    breaks: breaks.sort((one, other) => one.request - other.request),
    conversations: streams.length,
    compared: streams.flatMap(({ turns }) => turns).filter(({ parent }) => parent !== null).length,
    unlinked: unlinkedOf(streams).map(numberOf),
  }
}

/** In place of a linker: all calls are one conversation. */
class OneConversation {
  readonly #turns: LinkedTurn[] = []

  add(turn: Turn): LinkedTurn {
    if (turn.exchange.kind !== 'generate') return { turn, parent: null, repeats: false }
    const linked = { turn, parent: this.#turns.at(-1)?.turn ?? null, repeats: false }
    this.#turns.push(linked)
    return linked
  }

  finish(): readonly Stream[] {
    const [first] = this.#turns
    return first === undefined ? [] : [{ id: 'single', parent: null, family: 'single', turns: this.#turns }]
  }
}

/**
 * Turns that were answered before and go on from nothing: a conversation may have been rewritten beyond recognition. An
 * answer that stands in an earlier request too is an example, and an agent not seen before has a history of its own.
 */
function unlinkedOf(streams: readonly Stream[]): readonly Turn[] {
  const turns = streams
    .flatMap(({ family, turns: linked }) => linked.map((each) => ({ ...each, family })))
    .sort((one, other) => one.turn.number - other.turn.number)
  const families = new Set<string>()
  const known = new Set<Block>()
  return turns.flatMap(({ turn, parent, family }) => {
    const answers = messagesOf(turn).filter(isWritten)
    const isUnlinked = parent === null && families.has(family) && answers.some((block) => !known.has(block))
    families.add(family)
    for (const block of answers) known.add(block)
    return isUnlinked ? [turn] : []
  })
}
