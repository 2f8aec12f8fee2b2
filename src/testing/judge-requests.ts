/**
 * Whether requests pass a check, under its options.
 *
 * A check that has nothing to compare neither passes nor fails, also where the opposite is asked for: no request at all is a
 * client that was not wired up, and several of which none goes on from another are no conversation, or one that was
 * rewritten beyond recognition.
 */
import { AssertionError } from 'node:assert/strict'
import { IndelibleError } from '../base/error.ts'
import type { CountTokens } from '../cache/index.ts'
import type { ChangeKind } from './prefix-break.ts'
import { checkPrefixes, type NumberedBreak } from './prefix-check.ts'
import { breakMessage, shown, unnumbered, type Names } from './prefix-message.ts'
import { readRequests, type SentCall, type SentRequest } from './sent-request.ts'

/** A change that may happen. */
export type AllowedChange =
  | ChangeKind
  /** Only at this path, as the message of a failure names it. */
  | { readonly kind: ChangeKind; readonly path: string }
  /** A request that holds answers and goes on from none in the list. */
  | 'unlinked'

/** How to check two requests. */
export interface PrefixOptions {
  /** Changes that are meant, by kind: `['compaction']`. */
  readonly allow?: readonly AllowedChange[] | undefined
  /** The model, where bodies do not name it. */
  readonly model?: string | undefined
  /** Guesses by length unless given; only the costs in messages depend on it. */
  readonly countTokens?: CountTokens | undefined
}

/** How to check a list. */
export interface StablePrefixOptions extends PrefixOptions {
  /**
   * - `linked` (unless given): requests of several conversations may be interleaved; each is held against the one that it
   *   goes on from, as an audit finds it.
   * - `single`: each is held against the one before it in the list.
   */
  readonly conversations?: 'linked' | 'single' | undefined
}

/** What was checked. */
export interface StablePrefix {
  readonly conversations: number
  /** Requests that were held against an earlier one. */
  readonly compared: number
}

/** Why a check failed. */
export interface PrefixFailure {
  readonly message: string
  /** What stands there in the later request, and in the earlier one; for runners that show a difference. */
  readonly actual?: string
  readonly expected?: string
}

/** Judges a list: what was checked, or why it fails. Throws an `AssertionError` where nothing can be compared. */
export function judgeRequests(
  requests: readonly SentRequest[],
  options: StablePrefixOptions,
): StablePrefix | PrefixFailure {
  const { conversations = 'linked', allow = [] } = options
  if (conversations !== 'linked' && conversations !== 'single') {
    const found = JSON.stringify(conversations)
    throw new IndelibleError('option_invalid', `conversations is ${found}; "linked" and "single" are known.`)
  }
  const calls = readRequests(requests, options.model)
  if (calls.length === 0) throw new AssertionError({ message: nothingSent(requests.length) })
  const { compared, unlinked, ...found } = checkPrefixes(calls, { ...options, conversations })
  const [first, ...others] = notAllowed(found.breaks, allow)
  if (first !== undefined) return failureOf([first, ...others])
  const [number] = allow.includes('unlinked') ? [] : unlinked
  if (number !== undefined) return { message: unlinkedMessage(number, calls) }
  if (compared === 0 && calls.length > 1) throw new AssertionError({ message: nothingCompared(calls) })
  return { conversations: found.conversations, compared }
}

/** Judges a request against an earlier one: why it fails, or null. Throws as {@link judgeRequests} does. */
export function judgePair(request: SentRequest, previous: SentRequest, options: PrefixOptions): PrefixFailure | null {
  const calls = readRequests([previous, request], options.model)
  if (calls.length < 2) {
    const message = 'One of the two is no answered call to a model, so there is nothing to compare.'
    throw new AssertionError({ message })
  }
  const { breaks } = checkPrefixes(calls, { ...options, conversations: 'single', strict: true })
  const [first] = notAllowed(breaks, options.allow ?? [])
  return first === undefined ? null : failureOf([first], unnumbered)
}

function failureOf(breaks: readonly [NumberedBreak, ...NumberedBreak[]], names?: Names): PrefixFailure {
  const { before, after } = breaks[0].place
  return { message: breakMessage(breaks, names), actual: shown(after), expected: shown(before) }
}

/** Breaks in which something is not allowed. */
function notAllowed(breaks: readonly NumberedBreak[], allow: readonly AllowedChange[]): readonly NumberedBreak[] {
  return breaks.filter(({ changes }) => changes.some(({ kind, path }) => !allow.some(matches(kind, path))))
}

function matches(kind: ChangeKind, path: string): (allowed: AllowedChange) => boolean {
  return (allowed) => (typeof allowed === 'string' ? allowed === kind : allowed.kind === kind && allowed.path === path)
}

function nothingSent(requests: number): string {
  return requests === 0
    ? 'There is no request to check. Is the client given the fetch that captures them?'
    : `None of the ${requests} requests is an answered call to a model, so there is nothing to check.`
}

function nothingCompared(calls: readonly SentCall[]): string {
  const hint = chainHint(calls) ?? "If they are one conversation, { conversations: 'single' } shows where they part."
  return `None of the ${calls.length} requests goes on from an earlier one, so nothing was compared.\n${hint}`
}

function unlinkedMessage(number: number, calls: readonly SentCall[]): string {
  const hint =
    chainHint(calls) ??
    "Where it is of the same conversation, { conversations: 'single' } shows where they part; else { allow: ['unlinked'] }."
  return `Request ${number} holds answers, and goes on from none of the requests before it.\n${hint}`
}

/** A request may name the answer that it goes on from, which is known where answers were recorded. */
function chainHint(calls: readonly SentCall[]): string | null {
  const chained = calls.find(({ exchange }) => exchange.ids.previousResponse !== undefined)
  if (chained === undefined || calls.some(({ exchange }) => exchange.response !== undefined)) return null
  return `Request ${chained.number} names the answer that it goes on from: record answers, by captureFetch(fetch, { responses: true }).`
}
