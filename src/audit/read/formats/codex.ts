/**
 * Codex rollouts: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`, lines of `{timestamp, type, payload}`.
 *
 * They have the items of the conversation and what each call cost, no tools, and the instructions since some version. A
 * `token_count` is one call. Odd cases:
 * - The same count is written again with every change of rate limits: one whose grand total has not moved is no call.
 * - A fork begins with a copy of its parent, counts included, under new times. Known counts of the same ancestor are
 *   left out, and so is what is dated before the fork could have asked anything.
 */
import { field, has, textOf } from '../../../cache/layout/peek.ts'
import { at, count, fields, type Fields } from '../../../cache/usage/fields.ts'
import { readUsage } from '../../../cache/usage/read-usage.ts'
import { providerNames } from '../../../cache/providers/provider-rules.ts'
import type { Usage } from '../../../base/usage.ts'
import type { Exchange, Fidelity } from '../../exchange.ts'
import { promptFidelity } from '../prompt-fidelity.ts'
import type { LogReader, ReaderInput } from '../types.ts'
import { ChangeLog } from './change-log.ts'
import { CodexItems } from './codex-items.ts'
import { jsonEvents, nameOf, timeOf } from './json-records.ts'

/** Reader of Codex rollouts. */
export const codex: LogReader = {
  id: 'codex',
  title: 'Codex rollout',
  hint: 'For whole requests run Codex through a recording proxy: `claude-tap --tap-client codex`, and audit its trace.',
  // The first line holds all instructions, and can be longer than the head.
  recognises: ({ records, start }) => records.some(isRolloutLine) || isRolloutLine(start),
  async *read(input) {
    const rollout = new Rollout(input)
    for await (const { record, line } of jsonEvents(input)) {
      const exchange = rollout.take(record, line)
      if (exchange !== undefined) yield exchange
    }
  },
}

const types = new Set(['session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted'])

function isRolloutLine(record: unknown): boolean {
  return types.has(textOf(record, 'type')) && fields(field(record, 'payload')) !== undefined && has(record, 'timestamp')
}

/** No call of a model takes less, in milliseconds. */
const shortestCall = 1000
const seenKey = 'codex:counts'

class Rollout {
  readonly #input: ReaderInput
  readonly #seen: Set<unknown>
  readonly #changes = new ChangeLog()
  #meta: Fields | undefined
  /** The first session of a chain of forks. */
  #ancestor: string | undefined
  #instructions: string | undefined
  readonly #items = new CodexItems()
  #total: string | undefined
  /** Behind the first call of its own, a fork has no copies. */
  #live = false

  constructor(input: ReaderInput) {
    this.#input = input
    const known = input.shared.get(seenKey)
    this.#seen = known instanceof Set ? known : new Set()
    input.shared.set(seenKey, this.#seen)
  }

  take(record: Fields, line: number): Exchange | undefined {
    const payload = fields(record['payload'])
    const type = record['type']
    if (typeof type !== 'string' || payload === undefined) {
      this.#input.unread({ line, kind: 'unknown-shape', message: 'The line has no type, or no payload.' })
      return undefined
    }
    const time = timeOf(record['timestamp'])
    if (type === 'session_meta') this.#takeMeta(payload)
    else if (type === 'turn_context') this.#takeContext(payload)
    else if (type === 'response_item') this.#items.add(payload, time)
    else if (type === 'compacted') {
      this.#items.compact(payload, time)
      this.#changes.compacted()
    } else if (type === 'event_msg') return this.#takeEvent(payload, line, time)
    return undefined
  }

  #takeMeta(meta: Fields): void {
    // In a fork, the copied lines of its ancestors name them one after the other.
    this.#ancestor = nameOf(meta['forked_from_id']) ?? nameOf(meta['id'])
    if (this.#meta !== undefined) return
    this.#meta = meta
    this.#changes.set('client-version', meta['cli_version'])
    this.#changes.set('branch', at(meta, 'git', 'branch'))
    // The older `instructions` are the user's, which stand among the items too.
    const instructions = meta['base_instructions']
    this.#instructions = nameOf(instructions) ?? nameOf(at(instructions, 'text'))
  }

  #takeContext(context: Fields): void {
    this.#changes.set('model', context['model'])
    this.#changes.set('effort', context['effort'])
    this.#changes.set('date', context['current_date'])
    this.#changes.set('directory', context['cwd'])
    const policies = [context['approval_policy'], context['sandbox_policy']].filter((each) => each !== undefined)
    this.#changes.set('permissions', policies.map((each) => policyName(each)).join(', '))
  }

  #takeEvent(event: Fields, line: number, time: number | undefined): Exchange | undefined {
    const type = event['type']
    if (type === 'context_compacted') this.#changes.compacted()
    if (type === 'thread_rolled_back') this.#items.rollBack(count(event['num_turns']) ?? 0)
    if (type !== 'token_count') return undefined
    const last = fields(at(event, 'info', 'last_token_usage'))
    const total = countsIn(at(event, 'info', 'total_token_usage'))
    // Limits only; or an estimate of what stands in the context, which no call has reported.
    if (last === undefined || (count(last['input_tokens']) ?? 0) === 0) return undefined
    if (total !== '' && total === this.#total) return undefined
    this.#total = total
    const key = this.#ancestor === undefined ? undefined : `${this.#ancestor}\n${total}\n${countsIn(last)}`
    if (!this.#live && this.#isCopy(key, time)) {
      this.#changes.take()
      return undefined
    }
    this.#live = true
    if (key !== undefined) this.#seen.add(key)
    return this.#exchange(last, line, time)
  }

  #isCopy(key: string | undefined, time: number | undefined): boolean {
    if (this.#seen.has(key)) return true
    const began = timeOf(this.#meta?.['timestamp'])
    if (nameOf(this.#meta?.['forked_from_id']) === undefined || began === undefined) return false
    return time !== undefined && time < began + shortestCall
  }

  #exchange(last: Fields, line: number, time: number | undefined): Exchange {
    const model = this.#changes.current('model')
    const provider = nameOf(this.#meta?.['model_provider'])
    const source = this.#meta?.['source']
    const input = this.#items.sent()
    return {
      kind: 'generate',
      request: input.length === 0 ? undefined : this.#body(model, input),
      response: undefined,
      usage: usageOf(last, model),
      startedAt: this.#items.askedAt,
      endedAt: time,
      provider: providerNames.find((name) => name === provider),
      model,
      project: this.#changes.current('directory') ?? nameOf(this.#meta?.['cwd']),
      events: this.#changes.take(),
      ids: {
        session: nameOf(this.#meta?.['id']),
        agent: nameOf(this.#meta?.['agent_nickname']) ?? nameOf(at(source, 'subagent')),
        isSubagent: source === undefined ? undefined : has(source, 'subagent'),
      },
      source: { file: this.#input.name, line },
      fidelity: { ...fidelity, system: this.#instructions !== undefined, time: time !== undefined },
    }
  }

  #body(model: string | undefined, input: readonly unknown[]): object {
    const named = model === undefined ? {} : { model }
    return { ...named, ...(this.#instructions === undefined ? {} : { instructions: this.#instructions }), input }
  }
}

const fidelity: Fidelity = promptFidelity(undefined, { time: true })

/** All counts of a report, so that two reports can be told apart. */
function countsIn(usage: unknown): string {
  return Object.entries(fields(usage) ?? {})
    .flatMap(([name, value]) => (count(value) === undefined ? [] : [`${name} ${String(value)}`]))
    .join()
}

/** The Responses names, under which cached tokens stand in the details. */
function usageOf(last: Fields, model: string | undefined): Usage {
  const usage = {
    ...last,
    input_tokens_details: {
      cached_tokens: last['cached_input_tokens'],
      cache_write_tokens: last['cache_write_input_tokens'],
    },
    output_tokens_details: { reasoning_tokens: last['reasoning_output_tokens'] },
  }
  return { ...readUsage(usage, { format: 'openai', model }), raw: last }
}

function policyName(policy: unknown): string {
  return (
    nameOf(policy) ??
    nameOf(at(policy, 'type')) ??
    nameOf(at(policy, 'mode')) ??
    Object.keys(fields(policy) ?? {}).join()
  )
}
