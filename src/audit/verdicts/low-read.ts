/**
 * Why a provider reported less than it should have read. Its own fault is the last thing to be said: only where the body
 * is known whole and unredacted, account, host, region, upstream and scoping headers are known to be equal, the entry was
 * reported written or read, its answer had begun, and its lifetime was far from over. A served model or a header that
 * differs explains it; anything that is not known leaves it open, and is named.
 */
import type { Turn } from '../record/types.ts'
import { gapBetween, hadBegun } from './extent.ts'
import { lacking } from './lacking.ts'
import { readOf, writeOf } from './reported.ts'
import type { Requests } from './requests.ts'
import type { Scopes } from './scopes.ts'
import { toleranceOf } from './tolerance.ts'
import type { Reason } from './types.ts'

/** Who used the entry last that is predicted to be read. */
export interface Holder {
  /** The turn that wrote the entry, or read it last. */
  readonly holder: Turn | undefined
  /** The turn goes on from the holder's answer, which therefore had begun. */
  readonly follows: boolean
  /** Milliseconds that the entry lives at least. */
  readonly lifetime: number
}

/** A turn that read less than was certain. */
export interface LowRead extends Holder {
  readonly turn: Turn
  /** Tokens that the simulator reads. */
  readonly expected: number
  readonly reported: number
  readonly step: number
  readonly scopes: Scopes
  readonly requests: Requests
}

/** The reason, and what the log lacks to be sure of it. */
export function explainLowRead(low: LowRead): { readonly reason: Reason; readonly missing: readonly string[] } {
  const known = knownCause(low)
  if (known !== null) return { reason: known, missing: [] }
  const { turn, holder } = low
  const { tokens, figures } = shortfall(low)
  const missing = missingFor(low)
  const doubt = missing.length > 0 ? 'the log lacks what would tell why' : doubtOf(low)
  if (doubt !== null) return { reason: { kind: 'unknown', tokens, detail: `${figures}: ${doubt}.` }, missing }
  const seconds = Math.round((gapBetween(holder as Turn, turn)?.most ?? 0) / 1000)
  const detail = `${figures}, ${seconds} s after the entry was used, of a prefix that did not change: the provider missed it.`
  return { reason: { kind: 'provider-miss', tokens, detail }, missing: [] }
}

/** What explains it for certain, also where the provider promises nothing: edits on its side, or another scope. */
export function knownCause(low: LowRead): Reason | null {
  const { holder } = low
  if (holder === undefined) return null
  const { tokens, figures } = shortfall(low)
  if (holder.answer.serverEdited) {
    const detail = `${figures}: the provider edits or compacts the prompt on its side.`
    return { kind: 'server-edited', tokens, detail }
  }
  const parameters = differences(low, holder)
  if (parameters.length === 0) return null
  return { kind: 'scope', tokens, detail: `${figures}: ${parameters.join(', ')} changed.`, parameters }
}

function shortfall({ expected, reported }: LowRead): { readonly tokens: number; readonly figures: string } {
  return { tokens: expected - reported, figures: `${reported} of ${expected} tokens were read` }
}

/** What differs that may scope the cache, besides what is known to. */
function differences({ turn, scopes, requests }: LowRead, holder: Turn): readonly string[] {
  const names = [...scopes.differences(holder, turn)]
  if (requests.modelOf(holder) !== requests.modelOf(turn)) names.push('served model')
  const [tier, before] = [turn.answer.tier, holder.answer.tier]
  if (tier !== undefined && before !== undefined && tier !== before) names.push('service tier')
  const [headers, earlier] = [turn.exchange.headers, holder.exchange.headers]
  if (headers !== undefined && earlier !== undefined && headers !== earlier) {
    const all = new Set([...Object.keys(headers), ...Object.keys(earlier)])
    names.push(...[...all].filter((name) => valueOf(headers[name]) !== valueOf(earlier[name])))
  }
  const settings = new Set([...Object.keys(turn.settings), ...Object.keys(holder.settings)])
  for (const name of settings) {
    if (JSON.stringify(turn.settings[name]) !== JSON.stringify(holder.settings[name])) names.push(name)
  }
  return names
}

/** A list in another order is the same list. */
function valueOf(header: string | undefined): string | undefined {
  return header
    ?.split(',')
    .map((part) => part.trim())
    .sort()
    .join(',')
}

function missingFor({ turn, holder, follows }: LowRead): readonly string[] {
  const { fidelity, account, host, headers } = turn.exchange
  const earlier = holder?.exchange
  const times = holder === undefined ? undefined : gapBetween(holder, turn)
  const isWhole = fidelity.level === 'wire' || fidelity.level === 'body'
  const checks: readonly (readonly [isKnown: boolean, sentence: string])[] = [
    [isWhole, lacking.body],
    [fidelity.breakpoints, lacking.breakpoints],
    [fidelity.tools, lacking.tools],
    [fidelity.system, lacking.system],
    [fidelity.parameters, lacking.parameters],
    [!fidelity.redacted, lacking.redacted],
    [fidelity.order, lacking.order],
    [times !== undefined, lacking.time],
    [account !== undefined && earlier?.account !== undefined, lacking.account],
    [host !== undefined && earlier?.host !== undefined, lacking.host],
    [headers !== undefined && earlier?.headers !== undefined, lacking.headers],
    [holder !== undefined && readOf(holder) !== undefined, lacking.usage],
    [follows || (holder !== undefined && hadBegun(holder, turn) !== undefined), lacking.end],
  ]
  return checks.filter(([isKnown]) => !isKnown).map(([, sentence]) => sentence)
}

/** Why it may not be the provider, where all is known; null where it is. */
function doubtOf({ turn, holder, follows, expected, lifetime, step }: LowRead): string | null {
  if (holder === undefined) return 'nobody knows who wrote the entry'
  const tolerance = toleranceOf(expected, step)
  const held = (readOf(holder) ?? 0) + (holder.usage === undefined ? 0 : (writeOf(holder.usage) ?? 0))
  if (held < expected - tolerance) return `the request before reported ${held} tokens written or read`
  if (!follows && hadBegun(holder, turn) !== true) return 'the request before had not begun to answer'
  const gap = gapBetween(holder, turn)
  if (gap === undefined || gap.most > lifetime * SAFELY) return 'the entry was near the end of its lifetime'
  return null
}

/** The share of a lifetime in which an entry is surely there. */
const SAFELY = 0.9
