/**
 * One answer in a Claude Code session, put together from its lines: one per content block, which share the message's id.
 * The usage of the last line counts. Odd cases:
 * - Old versions write the usage that the stream began with: an output that is far too small for the text is not taken.
 * - A line that says that a call failed stands for that call, and is no answer.
 */
import { MAX_DEPTH } from '../../../base/json.ts'
import type { Usage } from '../../../base/usage.ts'
import { field, list, textOf } from '../../../cache/layout/peek.ts'
import { recogniseFormat } from '../../../cache/layout/read-items.ts'
import { at, fields, type Fields } from '../../../cache/usage/fields.ts'
import { readUsage } from '../../../cache/usage/read-usage.ts'
import type { ChangeEvent, Exchange, Fidelity } from '../../exchange.ts'
import { promptFidelity } from '../prompt-fidelity.ts'
import type { Blocks, Entry, Message, Sent } from './claude-code-conversation.ts'
import { nameOf, timeOf } from './json-records.ts'

/** An answer, or the report of a call that failed; more lines may come. */
export class Answer implements Blocks {
  readonly lines: Entry[] = []
  readonly results: Entry[] = []
  readonly line: number
  readonly events: readonly ChangeEvent[] | undefined
  /** Made when no more lines can come; null for an answer that was read before. */
  exchange: Exchange | null | undefined
  readonly #first: Fields
  #last: Fields
  #usage: unknown
  #stopped = false
  #endedAt: number | undefined

  constructor(first: Fields, line: number, events: readonly ChangeEvent[] | undefined) {
    this.#first = first
    this.#last = first
    this.line = line
    this.events = events
    this.take(first)
  }

  /** Names the answer wherever it was copied to; undefined where nothing does, and it then stands alone. */
  get key(): string | undefined {
    return keyOf(this.#first)
  }

  /** One more of its lines. */
  take(record: Fields): void {
    this.#last = record
    const usage = at(record, 'message', 'usage')
    if (fields(usage) !== undefined) this.#usage = usage
    this.#stopped ||= typeof at(record, 'message', 'stop_reason') === 'string'
    const time = timeOf(record['timestamp'])
    if (time !== undefined) this.#endedAt = Math.max(this.#endedAt ?? time, time)
  }

  /** The call. `lastModel` answered the one before: a report of a failed call does not name its own. */
  toExchange(file: string, { messages, time }: Sent, lastModel: string | undefined): Exchange {
    const [first, last] = [this.#first, this.#last]
    const failed = first['isApiErrorMessage'] === true
    const model = failed ? lastModel : nameOf(at(last, 'message', 'model'))
    const response = nameOf(at(first, 'message', 'id'))
    const written = timeOf(first['timestamp'])
    return {
      kind: 'generate',
      request: messages.length === 0 ? undefined : bodyOf(model, messages),
      response: failed ? undefined : this.#response(),
      usage: failed ? undefined : this.#readUsage(model),
      status: failed ? statusOf(first) : undefined,
      error: failed ? (nameOf(first['error']) ?? 'the call failed') : undefined,
      // A call is made when the last thing to be answered is there; nothing else says when.
      startedAt: time === undefined || written === undefined ? (time ?? written) : Math.min(time, written),
      endedAt: this.#endedAt,
      provider: platformOf(response),
      model,
      project: nameOf(last['cwd']),
      providerReason: nameOf(at(last, 'message', 'diagnostics', 'cache_miss_reason', 'type')),
      events: this.events,
      ids: {
        request: nameOf(last['requestId']),
        response: failed ? undefined : response,
        session: nameOf(first['sessionId']),
        agent: nameOf(first['agentId']),
        isSubagent: typeof first['isSidechain'] === 'boolean' ? first['isSidechain'] : undefined,
      },
      source: { file, line: this.line },
      fidelity: { ...fidelity, time: written !== undefined || time !== undefined },
    }
  }

  #blocks(): readonly unknown[] {
    return this.lines.flatMap(({ message }) => blocksOf(message?.content))
  }

  #response(): unknown {
    const usage = this.#usage === undefined ? {} : { usage: this.#usage }
    return { ...fields(this.#last['message']), content: this.#blocks(), ...usage }
  }

  #readUsage(model: string | undefined): Usage | undefined {
    if (this.#usage === undefined) return undefined
    const usage = readUsage(this.#usage, { format: 'anthropic', model })
    const { output } = usage
    if (this.#stopped || output === undefined) return usage
    const characters = this.#blocks().reduce<number>((sum, block) => sum + lengthOf(block), 0)
    if (characters <= (output + 1) * mostCharacters) return usage
    const message = `The usage was written before the answer had ended: ${output} tokens of output for ${characters} characters.`
    return {
      ...usage,
      output: undefined,
      anomalies: [...(usage.anomalies ?? []), { type: 'stream-incomplete', message }],
    }
  }
}

/** Per token; no text that a model writes has as many. */
const mostCharacters = 16

const fidelity: Fidelity = promptFidelity(undefined, { time: true })

/** Names the answer that a line belongs to. Gateways leave the request id out. */
export function keyOf(record: Fields): string | undefined {
  const id = nameOf(at(record, 'message', 'id'))
  return id === undefined ? nameOf(record['uuid']) : `${id}\n${nameOf(record['requestId']) ?? ''}`
}

/** Other vendors' models are asked in the same format; an empty system prompt says so where nothing else does. */
function bodyOf(model: string | undefined, messages: readonly Message[]): object {
  const body = { ...(model === undefined ? {} : { model }), messages }
  return recogniseFormat(body) === 'anthropic' ? body : { ...body, system: [] }
}

function blocksOf(content: unknown): readonly unknown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : list(content)
}

/** Characters of what the model wrote in a block: its text, its thinking, the input of its call. */
function lengthOf(block: unknown): number {
  return textOf(block, 'text').length + textOf(block, 'thinking').length + charactersIn(field(block, 'input'))
}

function charactersIn(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return 0
  return Object.values(value).reduce<number>((sum, inner) => sum + charactersIn(inner, depth + 1), 0)
}

function statusOf(record: Fields): number | undefined {
  const [block] = blocksOf(at(record, 'message', 'content'))
  const status = /^API Error: (?:\w+ )?(\d{3})\b/.exec(textOf(block, 'text'))?.[1]
  return status === undefined ? undefined : Number(status)
}

/** Ids of answers name the cloud that they came from, where it is not the Claude API. */
function platformOf(id: string | undefined): string | undefined {
  if (id?.startsWith('msg_bdrk_') === true) return 'bedrock'
  return id?.startsWith('msg_vrtx_') === true ? 'vertex' : undefined
}
