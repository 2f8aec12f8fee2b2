/**
 * One cache scope, played request by request: the rules of a provider over the tree of all that was sent.
 *
 * A prediction is made from what earlier requests sent and what was reported for them, never from its own report.
 */
import { streamBegins } from '../anthropic/lifetimes.ts'
import { RequestUnreadableError } from '../layout/errors.ts'
import { readItems, type ReadRequest } from '../layout/read-items.ts'
import { providerRules } from '../providers/provider-rules.ts'
import { guessTokens } from '../tokens/count-tokens.ts'
import { describe, type Elsewhere } from './describe.ts'
import { isReadable, stateOf } from './entry.ts'
import { playEntries } from './entry-cache.ts'
import { FollowingRequest } from './following.ts'
import { Memory } from './memory.ts'
import { learn, type Sent } from './observe.ts'
import type { Play } from './play.ts'
import { createCalibration, Positions, type Calibration } from './positions.ts'
import { playPrefix } from './prefix-cache.ts'
import type { ProviderRules } from './rules.ts'
import { changedParameters, scopeOf, type RequestScope } from './scope.ts'
import { instant, readTime, type Instant } from './time.ts'
import { Node } from './tree.ts'
import type { CacheEntry, Prediction, SendOptions, Simulator, SimulatorOptions } from './types.ts'
import { agreement, walk } from './walk.ts'
import { isAbandoned, type OwnWriter } from './writer.ts'

/** Nodes that a simulator remembers unless told otherwise. */
const MAX_SEGMENTS = 200_000

/** Creates an empty cache of one provider. Throws an `IndelibleError` (`not_supported`) for a provider that it does not know. */
export function createSimulator(options: SimulatorOptions): Simulator {
  return new CacheSimulator(options)
}

/** A tree for each value of what nothing can be shared without, as the model. */
interface Root {
  readonly node: Node
  readonly model: string | undefined
  readonly scope: RequestScope
}

class CacheSimulator implements Simulator {
  readonly provider: string
  readonly scope: Simulator['scope']
  readonly #options: SimulatorOptions
  readonly #rules: ProviderRules
  readonly #memory: Memory
  readonly #roots = new Map<string, Root>()
  readonly #calibrations = new Map<string, Calibration>()
  #sent = new WeakMap<Prediction, Sent>()
  #last: Prediction | undefined
  #now: Instant | null = null
  /** Until two requests differ in time, a time says nothing. */
  #varied = false
  #number = 0

  constructor(options: SimulatorOptions) {
    const { provider, account, workspace, region, maxSegments = MAX_SEGMENTS, capacity = Infinity } = options
    this.#options = options
    this.#rules = typeof provider === 'string' ? providerRules(provider) : provider
    this.#memory = new Memory(maxSegments, capacity)
    this.provider = this.#rules.id
    this.scope = {
      ...(account === undefined ? {} : { account }),
      ...(workspace === undefined ? {} : { workspace }),
      ...(region === undefined ? {} : { region }),
    }
  }

  send(sent: unknown, options: SendOptions = {}): Prediction {
    const following = sent instanceof FollowingRequest ? sent : null
    const body = following === null ? sent : following.request
    const { countTokens = guessTokens, zeroDataRetention = false, blockSize } = this.#options
    const model = options.model ?? this.#options.model
    const request = readItems(body, { ...this.#options, model }, this.#rules.formats)
    const now = this.#readInstant(options)
    const rules = this.#rules.rulesFor(request, { at: now?.latest, zeroDataRetention, blockSize })
    const scope = expectScope(request)
    const root = this.#roots.get(scope.root)?.node ?? Node.root()
    const number = this.#number + 1
    const after = following?.takeBefore()
    const way = walk(request, root, { reader: request.reader, countTokens, runs: this.#rules.runs, number, after })
    if (following !== null) following.way = way
    // From here on nothing throws: a body that could not be read has left no trace.
    const elsewhere = way.common === root ? this.#findElsewhere(request, scope) : null
    const isFirst = this.#roots.size === 0
    this.#roots.set(scope.root, { node: root, model: request.model, scope })
    this.#number = number
    const writer: OwnWriter = {
      request: number,
      pending: options.pending === true,
      readableAt: readableAt(options, now),
      abandoned: false,
    }
    const positions = new Positions(rules.tokens, this.#calibration(request.model))
    const play: Play = {
      walk: way,
      scope,
      positions,
      now,
      writer,
      number,
      countTokens,
      store: (entry) => this.#memory.put(entry),
    }
    const outcome = rules.type === 'entries' ? playEntries(play, rules, isFirst) : playPrefix(play, rules, isFirst)
    const prediction = describe(play, outcome, { provider: this.provider, minimum: rules.minimum, elsewhere })
    const { written, hit, readThrough, stored, short } = outcome
    this.#sent.set(prediction, {
      end: way.end,
      writer,
      rules,
      outcome: { written, hit, readThrough, stored, short },
      positions,
      memory: this.#memory,
      observed: false,
    })
    this.#last = prediction
    this.#note(now)
    this.#memory.pass(way.end, number, outcome.whole)
    this.#trim()
    return prediction
  }

  begin(prediction: Prediction): void {
    const writer = this.#sent.get(prediction)?.writer
    if (writer?.pending !== true) return
    writer.pending = false
    writer.readableAt = undefined
  }

  abandon(prediction: Prediction): void {
    const sent = this.#sent.get(prediction)
    if (sent === undefined || !sent.writer.pending) return
    sent.writer.abandoned = true
    // An entry that another request writes as well is that one's.
    for (const entry of sent.outcome.stored) if (isAbandoned(entry.writer)) this.#memory.remove(entry)
    this.#sent.delete(prediction)
  }

  observe(response: unknown, prediction: Prediction | undefined = this.#last): void {
    const sent = prediction === undefined ? undefined : this.#sent.get(prediction)
    if (sent === undefined || sent.observed) return
    sent.observed = learn(response, sent)
  }

  get segments(): number {
    return this.#memory.segments
  }

  entries(at?: Date | number | string): readonly CacheEntry[] {
    const now = at === undefined ? this.#now : instant(readTime(at), undefined, 0)
    const whole = [...this.#memory.ends.values()].filter((entry) => entry !== null)
    const standing = [...this.#memory.entries, ...whole].filter(
      ({ usedAt, lifetime, writer }) => stateOf(usedAt, lifetime, writer, now).type !== 'expired',
    )
    return standing.map((entry): CacheEntry => {
      const { tokens, model, section, path, ttl, lifetime, writer, usedAt, usedBy } = entry
      const expiresAt = usedAt === null || lifetime.least === Infinity ? undefined : usedAt.latest + lifetime.least
      return {
        model,
        tokens,
        section,
        path,
        ttl,
        writtenBy: writer.request,
        usedBy,
        usedAt: usedAt?.latest,
        expiresAt,
        readable: isReadable(writer, now),
      }
    })
  }

  clear(): void {
    this.#memory.clear()
    this.#roots.clear()
    this.#calibrations.clear()
    this.#sent = new WeakMap()
    this.#last = undefined
    this.#now = null
    this.#varied = false
  }

  #readInstant({ startedAt, endedAt, uncertainty = 0 }: SendOptions): Instant | null {
    const now = instant(readTime(startedAt), readTime(endedAt), uncertainty)
    if (now === null || this.#varied || this.#now === null || now.latest !== this.#now.latest) return now
    return { ...now, constant: true }
  }

  #note(now: Instant | null): void {
    if (now === null) return
    this.#varied ||= this.#now !== null && this.#now.latest !== now.latest
    this.#now = now
  }

  #trim(): void {
    if (!this.#memory.trim()) return
    for (const [key, { node }] of this.#roots) if (!node.hasChildren) this.#roots.delete(key)
    const models = new Set([...this.#roots.values()].map(({ model }) => model ?? ''))
    for (const model of this.#calibrations.keys()) if (!models.has(model)) this.#calibrations.delete(model)
  }

  #calibration(model = ''): Calibration {
    const known = this.#calibrations.get(model)
    if (known !== undefined) return known
    const created = createCalibration()
    this.#calibrations.set(model, created)
    return created
  }

  /** Whether the same text is cached under another value of what nothing is shared without, and of what. */
  #findElsewhere(request: ReadRequest, scope: RequestScope): Elsewhere | null {
    let best: Elsewhere | null = null
    for (const other of [...this.#roots.values()].slice(-ROOTS_COMPARED)) {
      if (other.scope.root === scope.root) continue
      const { depth, endedBy, passedBy } = agreement(request, other.node, request.reader)
      if (depth <= (best?.depth ?? 0)) continue
      const parameters = changedParameters(other.scope.parameters, scope.parameters, 'tools')
      best = { depth, parameters, ended: endedBy === passedBy }
    }
    return best
  }
}

// Of many models, those asked last are the likely ones.
const ROOTS_COMPARED = 16

function readableAt({ startedAt, endedAt, stream }: SendOptions, now: Instant | null): number | undefined {
  const end = readTime(endedAt)
  if (end === undefined || now === null || readTime(startedAt) === undefined) return undefined
  return stream === true ? Math.min(end, now.latest + streamBegins.within) : end
}

/** A scope is written out as JSON, and the engine's own writer gives up on what is nested some thousand levels deep. */
function expectScope({ scope }: ReadRequest): RequestScope {
  try {
    return scopeOf(scope)
  } catch {
    throw new RequestUnreadableError(
      '',
      'parameters that are nested less deeply',
      scope.map(({ name }) => name),
    )
  }
}
