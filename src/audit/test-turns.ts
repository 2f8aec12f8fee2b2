/** Turns for tests: bodies put through the real recorder. */
import type { Exchange, Fidelity } from './exchange.ts'
import { Recorder, type RecorderOptions } from './record/recorder.ts'
import type { Turn } from './record/types.ts'

/** A record that has everything. */
export const wholeFidelity: Fidelity = {
  level: 'body',
  breakpoints: true,
  tools: true,
  system: true,
  parameters: true,
  order: true,
  time: true,
  redacted: false,
}

/** When the first call of a test is made. */
export const testStart: number = Date.UTC(2026, 10, 1)

/** A call with a body; at {@link testStart} unless said. */
export function exchangeOf(request: unknown, over: Partial<Exchange> = {}): Exchange {
  return {
    kind: 'generate',
    request,
    response: undefined,
    startedAt: testStart,
    ids: {},
    source: { file: 'test.jsonl', line: 1 },
    fidelity: wholeFidelity,
    ...over,
  }
}

/** The calls of a test: each 30 seconds after the one before unless `over` says otherwise. */
export function turnsOf(
  bodies: readonly unknown[],
  over: (index: number) => Partial<Exchange> = () => ({}),
  options: RecorderOptions = {},
): Turn[] {
  const recorder = new Recorder(options)
  return bodies.map((body, index) =>
    recorder.record(
      exchangeOf(body, {
        startedAt: testStart + index * 30_000,
        source: { file: 'test.jsonl', line: index + 1 },
        ...over(index),
      }),
    ),
  )
}
