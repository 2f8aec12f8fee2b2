/**
 * What every session of one `createSessions` shares: the store, the host's format, and how context and instructions are
 * had at a boundary. Clock and randomness come in here and nowhere else.
 */
import { ContextRegistry } from '../context/index.ts'
import type { Context, Snapshot } from '../context/index.ts'
import { renderSystemForWire } from '../prompt/index.ts'
import { MessageInvalidError } from './errors.ts'
import { checkMadeId } from './ids.ts'
import { checkOptions } from './options.ts'
import { plainFormat } from './plain-format.ts'
import { observeBoundary } from './read-tools.ts'
import type { BoundaryObservation } from './read-tools.ts'
import type { EventStore } from './store.ts'
import { toolIds } from './tools.ts'
import type { ToldTools } from './tools.ts'
import type { Format, SessionsOptions, Tool } from './types.ts'

export class SessionEnvironment<M, H> {
  readonly store: EventStore
  readonly format: Format<M>
  readonly clock: () => Date
  readonly createId: () => string
  readonly toolId: (tool: Tool) => string
  readonly onToolAdded: 'epoch' | 'append' | 'hold'
  readonly #tools: SessionsOptions<M, H>['tools']
  readonly #context: SessionsOptions<M, H>['context']
  readonly #instructions: SessionsOptions<M, H>['instructions']
  readonly #watchesInstructions: boolean

  constructor(options: SessionsOptions<M, H>) {
    checkOptions(options)
    this.store = options.store
    this.format = options.format ?? (plainFormat as unknown as Format<M>)
    this.clock = options.clock ?? (() => new Date())
    const createId = options.createId ?? (() => crypto.randomUUID())
    this.createId = () => checkMadeId(createId())
    this.toolId = toolIds(this.format)
    this.onToolAdded = options.onToolAdded ?? 'epoch'
    this.#tools = options.tools
    this.#watchesInstructions = options.onInstructionsChanged === 'epoch'
    this.#context = options.context
    this.#instructions = options.instructions
  }

  /** Reads the sources and the tools once. A promise only where something is asynchronous: a quiet boundary must not pay for one. */
  observe(
    id: string,
    host: H | undefined,
    snapshot: Snapshot,
    epoch: boolean,
    told: ToldTools | null,
  ): BoundaryObservation<H> | Promise<BoundaryObservation<H>> {
    const options = { session: id, snapshot, epoch, ...(host !== undefined && { host }) }
    const read = (context: Context<H>): BoundaryObservation<H> | Promise<BoundaryObservation<H>> =>
      observeBoundary(context, options, this.#tools, this.toolId, told)
    const context = this.#contextOf(id, host)
    return context instanceof Promise ? context.then(read) : read(context)
  }

  #contextOf(id: string, host: H | undefined): Context<H> | Promise<Context<H>> {
    const context = this.#context
    if (context instanceof ContextRegistry) return context.load()
    return typeof context === 'function' ? context(sessionOf(id, host)) : context
  }

  /** True when the instructions are no longer the frozen ones and the host wants an epoch for that. */
  instructionsChanged(id: string, host: H | undefined, frozen: string | undefined): boolean {
    return this.#watchesInstructions && this.instructions(id, host) !== frozen
  }

  /** The instructions of today, without boundary markers. */
  instructions(id: string, host: H | undefined): string {
    const { format } = this
    const text = typeof this.#instructions === 'function' ? this.#instructions(sessionOf(id, host)) : this.#instructions
    if (text === undefined) return ''
    if (typeof text !== 'string') {
      throw new MessageInvalidError(
        `instructions must be a string for a session of format ${format.id}, not ${typeof text}.`,
      )
    }
    return renderSystemForWire(text)
  }
}

function sessionOf<H>(id: string, host: H | undefined): { readonly id: string; readonly host?: H } {
  return host === undefined ? { id } : { id, host }
}
