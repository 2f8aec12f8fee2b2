/** Turns for the tests of what is made of them: bodies of the Messages API, and predictions as a simulator might give. */
import type { Exchange } from '../../src/audit/exchange.ts'
import { exchangeOf } from '../../src/audit/test-turns.ts'
import type { Prediction } from '../../src/cache/simulator/types.ts'
import { auditWith } from './audited-calls.ts'
import { replay, type Turn } from './replay.ts'
import type { UsageRow } from './usage-table.ts'

/** One call, in a few words. */
export interface Plan {
  /** The texts of its blocks, in one user message. */
  readonly texts: readonly string[]
  /** Puts a breakpoint on the last block, unless false. */
  readonly marked?: boolean
  readonly predicted?: number
  readonly range?: readonly [number, number]
  readonly hit?: string
  readonly read?: number
  readonly write?: number
  /** What was neither read nor written; the whole report is left out where it is null. */
  readonly uncached?: number | null
  readonly at?: number
  readonly model?: string
  readonly body?: object
}

/** Plays the plans as one recording of Anthropic, in which 100 tokens are the minimum; it has one explicit cache, `own`. */
export function turnsOf(plans: readonly Plan[], rows?: readonly UsageRow[]): readonly Turn[] {
  const cache = exchangeOf({ contents: [] }, { kind: 'create-cache', response: { name: 'own' } })
  const file = { name: 'folder/recording.json', exchanges: [...plans.map(callOf), cache], unread: [] }
  const audit = auditWith()
  const { turns } = replay(file, rows, (exchanges) =>
    audit(exchanges).map((call, at) => ({ ...call, prediction: predictionOf(plans[at] ?? { texts: [] }, at + 1) })),
  )
  return turns
}

function callOf({ texts, marked = true, read, write, uncached = 0, at, model, body }: Plan, index: number): Exchange {
  const content = texts.map((text, position) => ({
    type: 'text',
    text,
    ...(marked && position === texts.length - 1 ? { cache_control: { type: 'ephemeral' } } : {}),
  }))
  const usage = {
    input_tokens: uncached,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: write,
    output_tokens: 1,
  }
  const request = { model: model ?? 'claude-sonnet-4-6', max_tokens: 1, messages: [{ role: 'user', content }], ...body }
  return exchangeOf(request, {
    provider: 'anthropic',
    host: 'api.anthropic.com',
    response: uncached === null ? {} : { type: 'message', usage },
    startedAt: at,
    source: { file: 'folder/recording.json', line: index + 1 },
  })
}

function predictionOf({ predicted = 0, range, hit }: Plan, request: number): Prediction {
  return {
    request,
    provider: 'anthropic',
    model: undefined,
    usage: { total: 0, read: predicted, write5m: 0, write30m: 0, write1h: 0, uncached: 0 },
    range: { least: range?.[0] ?? predicted, most: range?.[1] ?? predicted },
    hit:
      hit === undefined ? null : { path: hit, section: 'messages', tokens: predicted, breakpoint: hit, writtenBy: 1 },
    written: [],
    misses: [],
    common: { segments: 0, tokens: 0 },
    segments: 0,
    minimum: 100,
    estimated: false,
  }
}
