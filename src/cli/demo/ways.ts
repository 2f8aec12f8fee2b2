/**
 * Three ways to build the requests of one conversation. All of them are told what is said and answered; they differ in
 * what becomes of the context when it changes. Each marks every place that a later request could read from, where the
 * provider takes marks, so that none pays for more than it must.
 */
import type { Context, EpochStart, Update } from '../../context/index.ts'
import { escapeSystemPromptBoundary, joinSystemPrompt, splitSystemPrompt } from '../../prompt/index.ts'
import { createSessions, type Format, type Session, type Turn, type Verification } from '../../session/index.ts'
import { sqliteStore } from '../../store/sqlite/index.ts'
import { INSTRUCTIONS } from './agent.ts'
import type { AnsweredCall, IdentifiedCall } from './tools.ts'

export type WayName = 'anew' | 'split' | 'epochs'

/** One way, whatever the messages of the provider look like. */
export interface Way {
  readonly name: WayName
  /** The user says something. */
  say(text: string): Promise<unknown>
  /** Builds the next request. `now` is the context as it is at this moment, rendered whole. */
  request(now: EpochStart): Promise<WayRequest>
  /** The model has answered it. */
  answer(text: string, calls: readonly IdentifiedCall[]): Promise<unknown>
  /** The calls of the answer have their results. */
  results(answered: readonly AnsweredCall[]): Promise<unknown>
}

/** A request as the adapter of the provider gives it. */
export interface LoweredRequest {
  readonly body: object
  /** Besides those that every request has. */
  readonly headers: Readonly<Record<string, string>>
}

export interface WayRequest extends LoweredRequest {
  /** What the model is told by appending, if this way does so. */
  readonly update: Update | null
}

/** How one provider's requests are written; `M` is the message of its SDK. */
export interface Dialect<M> {
  readonly format: Format<M>
  user(text: string): M
  answer(text: string, calls: readonly IdentifiedCall[]): readonly M[]
  results(answered: readonly AnsweredCall[]): readonly M[]
  /**
   * A request without a session, with the best marks that there are. `system` is a prompt of `indelible/prompt`; without a
   * boundary it is one text.
   */
  render(system: string, messages: readonly M[]): object
  /** The request of a turn. */
  lower(turn: Turn<M>): LoweredRequest
}

export interface WaysOptions {
  /** Path of the SQLite file that the session is kept in. */
  readonly file: string
  /** Id of the session. */
  readonly session: string
  readonly context: Context
  readonly clock: () => Date
}

/** A conversation in all three ways. */
export interface Ways {
  readonly all: readonly Way[]
  /** Replays the session of the way with epochs. */
  verify(): Promise<Verification>
  close(): Promise<void>
}

/** Begins a conversation of a provider. */
export function openWays<M>(dialect: Dialect<M>, { file, session: id, context, clock }: WaysOptions): Ways {
  const sessions = createSessions({
    store: sqliteStore(file),
    format: dialect.format,
    context,
    instructions: INSTRUCTIONS,
    clock,
    createId: createCounter(),
  })
  const session = sessions.open(id)
  return {
    all: [anew(dialect), split(dialect), epochs(dialect, session)],
    verify: () => session.verify(),
    close: () => sessions.close(),
  }
}

/** Ids in place of random ones, so that each run is the same. The nonce is one of them: nobody is there to guess it. */
function createCounter(): () => string {
  let count = 0
  return () => `demo-${String(++count).padStart(6, '0')}`
}

/** The whole context is rendered into one system prompt, each time. */
function anew<M>(dialect: Dialect<M>): Way {
  return rendered('anew', dialect, (baseline) => `${INSTRUCTIONS}\n\n${baseline}`)
}

/** The same, divided at the boundary: the instructions keep a block of their own. */
function split<M>(dialect: Dialect<M>): Way {
  return rendered('split', dialect, (baseline) => joinSystemPrompt(INSTRUCTIONS, baseline))
}

function rendered<M>(name: WayName, dialect: Dialect<M>, toSystem: (baseline: string) => string): Way {
  const messages: M[] = []
  const add = async (added: readonly M[]): Promise<void> => void messages.push(...added)
  return {
    name,
    say: (text) => add([dialect.user(text)]),
    answer: (text, calls) => add(dialect.answer(text, calls)),
    results: (answered) => add(dialect.results(answered)),
    async request({ baseline }) {
      const system = toSystem(escapeSystemPromptBoundary(baseline))
      return { body: dialect.render(system, [...messages]), headers: {}, update: null }
    },
  }
}

/** The halves of a system prompt that have a text. */
export function halvesOf(system: string): readonly string[] {
  const { static: fixed, dynamic } = splitSystemPrompt(system)
  return [fixed, dynamic].filter((text) => text !== '')
}

/** The context is rendered once; what changes is appended. The session keeps the conversation, and reads the sources itself. */
function epochs<M>(dialect: Dialect<M>, session: Session<M>): Way {
  let turn: Turn<M>
  return {
    name: 'epochs',
    say: (text) => session.submit(dialect.user(text)),
    answer: (text, calls) => turn.answer(dialect.answer(text, calls)),
    results: (answered) => session.append(dialect.results(answered)),
    async request() {
      turn = await session.turn()
      const { body, headers } = dialect.lower(turn)
      return { body, headers, update: turn.update }
    },
  }
}
