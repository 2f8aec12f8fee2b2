/**
 * A setting: any JSON value that the application itself can tell at any time.
 *
 * The text is whole, because the setting is the application's own and a cut value could not be acted on; what has to be
 * bounded brings its own renderers.
 */
import { escapeInvisible } from '../base/invisible.ts'
import { canonicalJson, type Json } from '../base/json.ts'
import { defineSource, type Context, type LoadOptions, type Observed, type SourceDefinition } from '../context/index.ts'

/**
 * How a setting is worded, and what else {@link defineSource} takes. Renderers that expect more than some JSON value
 * need a `codec` that refuses what an earlier release stored.
 */
export interface ValueOptions<A, H = unknown> extends Partial<Omit<SourceDefinition<A, H>, 'key' | 'load'>> {
  /** Begins the sentences, as `'The model'` in "The model is now …". `The setting "<key>"` unless given. */
  label?: string
}

/**
 * The source `key`: what `read` returns at each boundary, told as JSON with sorted keys. `read` returns `absent` for
 * a setting that is not set, and may return a promise.
 *
 * @example
 * ```ts
 * import { initialize, reconcile } from 'indelible'
 * import { value } from 'indelible/sources'
 *
 * let mode = 'plan'
 * const setting = value('acme/mode', () => mode, { label: 'The mode' })
 *
 * const { baseline, snapshot } = await initialize(setting)
 * console.log(baseline) // => The mode is "plan".
 *
 * mode = 'build'
 * const change = await reconcile(setting, snapshot)
 * console.log(change.type === 'updated' && change.text) // => The mode is now "build".
 * ```
 */
export function value<A extends object | string | number | boolean | null, H = unknown>(
  key: string,
  read: (options: LoadOptions<H>) => Observed<A> | Promise<Observed<A>>,
  { label = `The setting "${key}"`, ...definition }: ValueOptions<A, H> = {},
): Context<H> {
  return defineSource<A, H>({
    codec: { encode: (current) => current as Json, decode: (json) => json as A },
    baseline: (current) => `${label} is ${toText(current)}.`,
    update: (_, current) => `${label} is now ${toText(current)}.`,
    removed: () => `${label} is no longer set.`,
    ...definition,
    key,
    load: read,
  })
}

function toText(current: unknown): string {
  return escapeInvisible(canonicalJson(current))
}
