/** Session files of clients for tests: lines as Claude Code and Codex write them, with nothing in them but what is asked for. */
import type { LogFile } from '../read/types.ts'
import { spending, type SpendingOptions } from './spending.ts'
import type { SpendingReport } from './types.ts'

/** When the first turn of a test is made. */
export const sessionStart: number = Date.UTC(2026, 10, 10, 9)

/** One turn of Claude Code: the user's line, and the answer's. */
export interface TestTurn {
  /** Seconds since the turn before; 30 unless given. */
  readonly after?: number
  readonly read: number
  readonly write: number
  readonly model?: string
  readonly version?: string
  readonly cwd?: string
  /** The uuid of the line that it hangs below; the line before unless given, null for none. */
  readonly below?: string | null
  readonly sidechain?: boolean
  /** The provider's own word for a miss. */
  readonly miss?: string
}

/** The lines of a session; the answer of turn `n` is `${session}-a${n}`. */
export function sessionLines(session: string, turns: readonly TestTurn[], start: number = sessionStart): object[] {
  let time = start
  let last: string | null = null
  return turns.flatMap((turn, number) => {
    const { after = 30, read, write, model = 'claude-opus-4-5-20251101', version = '2.1.270', cwd = '/srv/app' } = turn
    const { below = last, sidechain = false, miss } = turn
    if (number > 0) time += after * 1000
    const [user, answer] = [`${session}-u${number}`, `${session}-a${number}`]
    last = answer
    const line = { isSidechain: sidechain, sessionId: session, version, cwd }
    const message = {
      id: `msg_01${session}${String(number).padStart(12, '0')}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [{ type: 'text', text: `Answer ${number}.` }],
      stop_reason: 'end_turn',
      usage: {
        input_tokens: 0,
        cache_read_input_tokens: read,
        cache_creation_input_tokens: write,
        cache_creation: { ephemeral_5m_input_tokens: write, ephemeral_1h_input_tokens: 0 },
        output_tokens: 10,
      },
      ...(miss !== undefined && { diagnostics: { cache_miss_reason: { type: miss } } }),
    }
    return [
      {
        ...line,
        type: 'user',
        uuid: user,
        parentUuid: below,
        timestamp: new Date(time).toISOString(),
        message: { role: 'user', content: `Question ${number} of ${session}.` },
      },
      {
        ...line,
        type: 'assistant',
        uuid: answer,
        parentUuid: user,
        timestamp: new Date(time + 4000).toISOString(),
        requestId: `req_${session}${number}`,
        message,
      },
    ]
  })
}

/** Seconds behind the first turn. */
function at(seconds: number): string {
  return new Date(sessionStart + seconds * 1000).toISOString()
}

/** A rollout of Codex: a call for each pair of all input and what of it was cached. */
export function rolloutLines(session: string, calls: readonly (readonly [total: number, cached: number])[]): object[] {
  let grand = 0
  return [
    {
      timestamp: at(0),
      type: 'session_meta',
      payload: { id: session, timestamp: at(0), cwd: '/srv/api', cli_version: '0.149.0', model_provider: 'openai' },
    },
    {
      timestamp: at(0),
      type: 'turn_context',
      payload: { cwd: '/srv/api', model: 'gpt-5.5', approval_policy: 'never', sandbox_policy: 'read-only' },
    },
    ...calls.flatMap(([total, cached], number) => {
      grand += total
      const content = [{ type: 'input_text', text: `Question ${number}.` }]
      const usage = { input_tokens: total, cached_input_tokens: cached, output_tokens: 20, total_tokens: total + 20 }
      return [
        { timestamp: at(30 * number + 1), type: 'response_item', payload: { type: 'message', role: 'user', content } },
        {
          timestamp: at(30 * number + 9),
          type: 'event_msg',
          payload: {
            type: 'token_count',
            info: { last_token_usage: usage, total_token_usage: { ...usage, input_tokens: grand } },
          },
        },
      ]
    }),
  ]
}

/** A file of JSON lines. */
export function linesFile(name: string, lines: readonly (object | string)[]): LogFile {
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
  return {
    name,
    async *open() {
      yield new TextEncoder().encode(text)
    },
  }
}

/** Sums up files, of a span that begins with the test unless said. */
export function sumUp(files: readonly LogFile[], options: Partial<SpendingOptions> = {}): Promise<SpendingReport> {
  return spending(files, { since: sessionStart - 3_600_000, now: new Date('2026-12-01T12:00:00Z'), ...options })
}
