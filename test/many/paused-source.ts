/** The one source of the sessions in which a process is paused. */
import { defineSource, type Context } from '../../src/index.ts'

/** Worded so that the laws can be read from it. */
export function pausedSource(load: () => string | Promise<string>): Context {
  return defineSource<string>({
    key: 'paused/value',
    codec: { encode: (json) => json, decode: (json) => String(json) },
    // A process that is paused has not read its source in time either; here that is not the point.
    timeoutMs: 600_000,
    load,
    baseline: (current) => `paused/value=${current}`,
    update: (_previous, current) => `paused/value=${current}`,
  })
}
