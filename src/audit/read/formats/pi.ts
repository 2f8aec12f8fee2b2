/**
 * Sessions of pi and of agents that are built on it (OpenClaw): `~/.pi/agent/sessions/…/*.jsonl`.
 *
 * They have the messages and what each answer cost, neither system prompt nor tools. The numbers of `usage` do not
 * overlap, and a number that a provider did not report is 0 in them: a write of 0 says nothing where the API reports no
 * writes. Odd cases: branching copies a session into a new file, so an answer counts once per run; an answer that was
 * aborted before it began costs nothing and is told as a call that failed.
 */
import type { Usage } from '../../../base/usage.ts'
import { field, has, textOf } from '../../../cache/layout/peek.ts'
import { parseModel } from '../../../cache/model.ts'
import { at, count, fields, type Fields } from '../../../cache/usage/fields.ts'
import { readUsage } from '../../../cache/usage/read-usage.ts'
import type { Exchange, Fidelity } from '../../exchange.ts'
import { bodyFor } from '../provider-body.ts'
import { promptFidelity } from '../prompt-fidelity.ts'
import { providerNamed } from '../provider-name.ts'
import { readTime } from '../read-time.ts'
import type { LogReader, ReaderInput } from '../types.ts'
import { ChangeLog } from './change-log.ts'
import { jsonEvents, nameOf, type JsonRecord } from './json-records.ts'
import { Entries, sentFor, type Entry } from './pi-entries.ts'

/** Reads sessions of pi. */
export const pi: LogReader = {
  id: 'pi',
  title: 'pi session',
  hint: 'For whole requests run pi through a recording proxy such as claude-tap, and audit its trace.',
  recognises: ({ records, start }) => isHeader(start) || records.some(isHeader),
  async *read(input) {
    const session = new Session(input)
    for await (const record of jsonEvents(input)) {
      const exchange = session.take(record)
      if (exchange !== undefined) yield exchange
    }
  },
}

function isHeader(record: unknown): boolean {
  return textOf(record, 'type') === 'session' && has(record, 'id') && has(record, 'cwd')
}

const fidelity: Fidelity = promptFidelity(undefined, { time: true })

const seenKey = 'pi:answers'

class Session {
  readonly #input: ReaderInput
  readonly #seen: Set<unknown>
  readonly #entries = new Entries()
  readonly #changes = new ChangeLog()
  #header: Fields | undefined

  constructor(input: ReaderInput) {
    this.#input = input
    const known = input.shared.get(seenKey)
    this.#seen = known instanceof Set ? known : new Set()
    input.shared.set(seenKey, this.#seen)
  }

  take({ record, line }: JsonRecord): Exchange | undefined {
    const type = record['type']
    const message = fields(record['message'])
    if (typeof type !== 'string' || (type === 'message' && message === undefined)) {
      this.#input.unread({ line, kind: 'unknown-shape', message: 'The line has no type, or no message.' })
      return undefined
    }
    const entry = this.#entries.add(record)
    if (type === 'session') this.#header = record
    if (type === 'compaction') this.#changes.compacted()
    this.#changes.set('effort', record['thinkingLevel'])
    this.#changes.set('directory', record['cwd'])
    return message?.['role'] === 'assistant' ? this.#callOf(message, entry, { record, line }) : undefined
  }

  #callOf(message: Fields, entry: Entry, { record, line }: JsonRecord): Exchange | undefined {
    const model = nameOf(message['model'])
    const usage = usageOf(message, model)
    const key = `${textOf(record, 'timestamp')}\n${String(message['timestamp'])}\n${model}\n${usage?.total}\n${usage?.output}`
    const failed = usage === undefined && ['error', 'aborted'].includes(textOf(message, 'stopReason'))
    if (!failed) this.#changes.set('model', model)
    // What has changed before a call that failed has changed for the next one.
    const events = failed ? undefined : this.#changes.take()
    if (has(record, 'timestamp') && this.#seen.has(key)) return undefined
    this.#seen.add(key)
    const provider = providerNamed(message['provider'], model)
    // A message is made when its stream is opened, and written down when it has ended.
    const startedAt = readTime(message['timestamp'])
    const endedAt = readTime(record['timestamp'])
    return {
      kind: 'generate',
      request: bodyOf(provider, model, message, entry),
      response: failed ? undefined : message,
      usage,
      error: failed ? (nameOf(message['errorMessage']) ?? 'the call failed') : undefined,
      startedAt,
      endedAt,
      provider,
      model,
      project: nameOf(this.#header?.['cwd']),
      events,
      ids: { response: nameOf(message['responseId']), session: nameOf(this.#header?.['id']) },
      source: { file: this.#input.name, line },
      fidelity: { ...fidelity, time: startedAt !== undefined || endedAt !== undefined },
    }
  }
}

function bodyOf(
  provider: string | undefined,
  model: string | undefined,
  message: Fields,
  entry: Entry,
): object | undefined {
  const isClaude = model !== undefined && parseModel(model) !== undefined
  const isAnthropic = textOf(message, 'api').startsWith('anthropic') || (isClaude && provider !== 'openrouter')
  const messages = sentFor(entry, isAnthropic ? 'anthropic' : 'chat')
  if (messages.length === 0) return undefined
  const named = model === undefined ? {} : { model }
  return isAnthropic ? { ...named, messages } : bodyFor(provider, model, { ...named, messages })
}

/** Undefined where all numbers are 0: nothing was reported. */
function usageOf(message: Fields, model: string | undefined): Usage | undefined {
  const usage = message['usage']
  const [input, output, read, write] = ['input', 'output', 'cacheRead', 'cacheWrite'].map((name) =>
    count(at(usage, name)),
  )
  if ((input ?? 0) + (output ?? 0) + (read ?? 0) + (write ?? 0) === 0) return undefined
  const reportsWrites = /^(?:anthropic|bedrock)/.test(textOf(message, 'api')) || write !== 0
  const disjoint = {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: read,
    ...(reportsWrites ? { cache_creation_input_tokens: write } : {}),
  }
  return { ...readUsage(disjoint, { format: 'anthropic', model }), raw: field(message, 'usage') }
}
