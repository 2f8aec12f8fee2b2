/**
 * Turns exchanges into turns. What is new in a body is cut, counted and hashed once; what was sent before is found and
 * referred to. The bodies themselves are let go of.
 */
import type { Usage } from '../../base/usage.ts'
import { guessTokens, readUsage, type CountTokens, type Lifetime } from '../../cache/index.ts'
import { RequestUnreadableError } from '../../cache/layout/errors.ts'
import { field } from '../../cache/layout/peek.ts'
import { readItems } from '../../cache/layout/read-items.ts'
import type { RequestItems } from '../../cache/layout/types.ts'
import type { Exchange } from '../exchange.ts'
import { providerFor } from '../provider-for.ts'
import { answerParts, readAnswer } from './answer.ts'
import { Blocks } from './blocks.ts'
import { Chains } from './chains.ts'
import { Elements } from './elements.ts'
import { SameValues } from './same-values.ts'
import type { Place, Turn } from './types.ts'

/** How to record. */
export interface RecorderOptions {
  /** Guesses by length unless given. */
  readonly countTokens?: CountTokens | undefined
  /** UTF-16 units of text to keep for comparison; 16 million unless given. */
  readonly maxCharacters?: number | undefined
  /** For logs that do not tell: whose rules hold, as the simulator names providers. */
  readonly provider?: string | undefined
  /** The model, where neither body nor log name it. */
  readonly model?: string | undefined
}

const MAX_CHARACTERS = 16_000_000
/** As much is dropped at once, so that sorting by age is seldom. */
const KEPT_SHARE = 0.75

/** Records the exchanges of a log, in its order. */
export class Recorder {
  readonly #options: RecorderOptions
  readonly #blocks: Blocks
  readonly #elements: Elements
  readonly #chains = new Chains()
  readonly #same = new SameValues()
  #number = 0

  constructor(options: RecorderOptions = {}) {
    this.#options = options
    this.#blocks = new Blocks(options.countTokens ?? guessTokens)
    this.#elements = new Elements(this.#blocks)
  }

  /** For simulators that play prepared requests: counts each block once, whatever stands for it. */
  readonly countTokens: CountTokens = (text) => this.#blocks.count(text)

  /** Records a call. Never throws for what a log holds: a body that cannot be laid out says so in `unreadable`. */
  record(exchange: Exchange): Turn {
    const { request, response, requestText: _text, usage: logged, ...meta } = exchange
    const parts = answerParts(response)
    const answer = readAnswer(parts)
    const number = this.#number++
    const body = this.#layOut(exchange, number)
    const usage = logged ?? usageOf(parts, longestOf(body))
    this.#chains.note(exchange, parts)
    this.#trim()
    const model = body.model ?? exchange.model ?? this.#options.model
    return {
      number,
      exchange: { ...meta, fidelity: this.#same.of(meta.fidelity), headers: this.#same.of(meta.headers) },
      provider: exchange.provider ?? this.#options.provider ?? providerFor(body.format ?? 'openai-chat', model),
      format: body.format,
      model,
      places: body.places,
      scope: this.#same.of(body.scope),
      automatic: body.automatic,
      settings: this.#same.of(body.settings),
      tokens: body.places.reduce((sum, { raw }) => sum + raw.tokens, 0),
      usage,
      answer,
      maxTokens: maxTokensOf(request),
      failed: isFailed(exchange, parts, usage),
      unreadable: body.unreadable,
    }
  }

  /** Lets go of what only further calls would be compared with. */
  end(): void {
    this.#elements.end()
  }

  #layOut(exchange: Exchange, number: number): Body {
    if (exchange.request === undefined) return nothing
    const model = exchange.model ?? this.#options.model
    const { previousResponse, cachedContent } = this.#chains
    try {
      const request = readItems(exchange.request, { format: exchange.format, model, previousResponse, cachedContent })
      const places = this.#elements.places(request.items, request.reader, number)
      return { ...request, places, unreadable: undefined }
    } catch (error) {
      if (!(error instanceof RequestUnreadableError)) throw error
      return { ...nothing, unreadable: error.message }
    }
  }

  #trim(): void {
    const { maxCharacters = MAX_CHARACTERS } = this.#options
    if (this.#blocks.characters <= maxCharacters) return
    this.#blocks.trim(maxCharacters * KEPT_SHARE)
    this.#elements.forget()
  }
}

interface Body extends Pick<RequestItems, 'model' | 'scope' | 'automatic' | 'settings'> {
  readonly format: Turn['format']
  readonly places: readonly Place[]
  readonly unreadable: string | undefined
}

const nothing: Body = {
  format: null,
  model: undefined,
  places: [],
  scope: [],
  automatic: null,
  settings: {},
  unreadable: undefined,
}

/** The longest lifetime that a body asks for: what is written, where a report does not split it. */
function longestOf({ places, automatic }: Body): Lifetime | undefined {
  let longest = automatic?.ttl
  for (const { raw } of places)
    for (const mark of raw.marks) {
      if (mark?.ttl === '1h') return '1h'
      longest ??= mark?.ttl
    }
  return longest
}

/** What was reported; nothing where no answer was recorded. What could not be read is not kept whole. */
function usageOf(parts: readonly unknown[], ttl: Lifetime | undefined): Usage | undefined {
  if (parts.length === 0) return undefined
  const usage = readUsage(parts, { ttl })
  return usage.anomalies?.some(({ type }) => type === 'not-recognised') === true ? undefined : usage
}

function maxTokensOf(request: unknown): number | undefined {
  const limits = [
    field(request, 'max_tokens'),
    field(request, 'max_completion_tokens'),
    field(request, 'max_output_tokens'),
    field(field(request, 'generationConfig'), 'maxOutputTokens'),
    field(field(request, 'inferenceConfig'), 'maxTokens'),
  ]
  return limits.find((limit) => typeof limit === 'number')
}

function isFailed({ status, error }: Exchange, parts: readonly unknown[], usage: Usage | undefined): boolean {
  if (status !== undefined && status >= 400) return true
  if (usage !== undefined) return false
  return (
    error !== undefined ||
    parts.some((part) => field(part, 'type') === 'error' || field(part, 'error') instanceof Object)
  )
}
