/**
 * Which places of a request are marked for GPT-5.6 and later, where an entry is found only at a place that the new request
 * has too. Unlike Anthropic's, marks must stay in later requests: each depends on its own span or part alone.
 *
 * In implicit mode the provider marks the last eligible message by itself; ours are the ends of instructions and baseline,
 * and of an update that no later user message covers. In explicit mode nothing is cached that is not marked, so the end of each
 * span is, too. The last request of a conversation is sent in explicit mode with the ends of its answered spans marked: these
 * are where earlier requests wrote, and what nobody will read again is not written.
 */
import { openAIBoundaries, type OpenAIPlatform } from '../../cache/index.ts'
import { openAIMultipliers } from '../../cache/openai/multipliers.ts'
import { conversationCandidates, planBreakpoints, type PlanRules } from '../plan/index.ts'
import type { FallbackReason, LoweringWarning } from '../warnings.ts'
import { isOpenAIs } from './updates.ts'

/** What is marked. */
export interface MarkRules {
  readonly instructions: boolean
  readonly baseline: boolean
  /** Updates that end their span. */
  readonly updates: boolean
  /** The last content of each span that was answered, and of the open one. */
  readonly answered: boolean
  readonly open: boolean
  /** The mode to ask for, where the caller's own does not do. */
  readonly mode: 'explicit' | null
}

const UNMARKED: MarkRules = {
  instructions: false,
  baseline: false,
  updates: false,
  answered: false,
  open: false,
  mode: null,
}

const rules: PlanRules = {
  limit: openAIBoundaries.writes,
  lookback: Infinity,
  readSaving: 1 - openAIMultipliers.read,
  writePremium: openAIMultipliers.write - 1,
}

/** Decides for every place of one kind alike: marks depend on nothing that a later turn changes, but that it may be the last. */
export function markRules(
  supported: 'supported' | FallbackReason,
  head: { readonly instructions: string | undefined; readonly baseline: string | undefined },
  given: { readonly prompt_cache_options?: { readonly mode?: string | null } | null },
  options: { readonly expectedTurns?: number | undefined },
): MarkRules {
  if (supported !== 'supported') return UNMARKED
  const explicit = given.prompt_cache_options?.mode === 'explicit'
  const candidates = conversationCandidates({
    head: (['instructions', 'baseline'] as const).flatMap((place) =>
      head[place] === undefined ? [] : [{ place, tokens: head[place].length / CHARACTERS, positions: 1 }],
    ),
    answered: undefined,
    // Of whatever length: only that there is one decides.
    open: { tokens: 1, positions: 1 },
    ttl: { head: 0, tail: 0 },
    expectedTurns: options.expectedTurns,
  })
  const placed = new Set(planBreakpoints(candidates, rules).placed.map(({ place }) => place))
  const goesOn = placed.has('tail')
  return {
    instructions: placed.has('instructions'),
    baseline: placed.has('baseline'),
    updates: goesOn,
    answered: explicit || !goesOn,
    open: explicit && goesOn,
    mode: goesOn || explicit ? null : 'explicit',
  }
}

/**
 * What to say where nothing is marked because nobody knows the model: a deployment's own name, say. That an earlier model or
 * another server takes no breakpoints is no loss.
 */
export function breakpointsLeftOut(
  supported: 'supported' | FallbackReason,
  platform: OpenAIPlatform,
): readonly LoweringWarning[] {
  return supported === 'unknown' && isOpenAIs(platform) ? [{ type: 'breakpoints-left-out', reason: supported }] : []
}

/** Characters of a token, by and large; only the proportion of the parts matters. */
const CHARACTERS = 4
