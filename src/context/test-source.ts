/**
 * The sources that the tests of this layer are made of. Their texts can be read back, so a test can tell what a model
 * believes.
 */
import type { Json } from '../base/json.ts'
import { defineSource } from './source.ts'
import type { Codec, Context, SourceDefinition } from './types.ts'

/** Takes every value and checks nothing. */
export function passThrough<A>(): Codec<A> {
  return { encode: (value) => value as Json, decode: (json) => json as A }
}

/** What to change about a {@link testSource}; `removed: null` leaves it without removal text. */
export type Overrides<A, H> = Partial<Omit<SourceDefinition<A, H>, 'removed'>> & {
  removed?: ((previous: A) => string) | null
}

/** A source with the key `test/NAME`, whose texts are `NAME = VALUE`, `NAME: OLD -> NEW` and `NAME gone`. */
export function testSource<A, H = unknown>(
  name: string,
  load: SourceDefinition<A, H>['load'],
  { removed = () => `${name} gone`, ...overrides }: Overrides<A, H> = {},
): Context<H> {
  return defineSource<A, H>({
    key: `test/${name}`,
    codec: passThrough<A>(),
    load,
    baseline: (current) => `${name} = ${JSON.stringify(current)}`,
    update: (previous, current) => `${name}: ${JSON.stringify(previous)} -> ${JSON.stringify(current)}`,
    ...(removed !== null && { removed }),
    ...overrides,
  })
}
