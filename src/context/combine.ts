/** Composition of contexts: order is kept, because the order of sources is the order of their texts. */
import { DuplicateSourceError } from './errors.ts'
import { contentsOf, toContext } from './source.ts'
import type { ProducerFailure, Source } from './source.ts'
import type { Context } from './types.ts'

/**
 * One context of all the sources of `contexts`, in the order given. Throws {@link DuplicateSourceError} when two
 * share a key.
 *
 * ```ts
 * import { combine, defineSource, initialize } from 'indelible'
 * import { z } from 'zod'
 *
 * const setting = (name: string, value: string) =>
 *   defineSource({
 *     key: `example/${name}`,
 *     codec: z.string(),
 *     load: () => value,
 *     baseline: (current) => `The ${name} is ${current}.`,
 *     update: (_, current) => `The ${name} is now ${current}.`,
 *   })
 *
 * const { baseline } = await initialize(combine(setting('theme', 'dark'), setting('language', 'English')))
 * console.log(JSON.stringify(baseline)) // => "The theme is dark.\n\nThe language is English."
 * ```
 */
export function combine<H>(...contexts: readonly Context<H>[]): Context<H> {
  const sources = new Map<string, Source<H>>()
  const failures: ProducerFailure[] = []
  for (const context of contexts) {
    const contents = contentsOf(context)
    for (const source of contents.sources) {
      const other = sources.get(source.key)
      if (other !== undefined) throw duplicate(other, source)
      sources.set(source.key, source)
    }
    failures.push(...contents.failures)
  }
  return toContext({ sources: [...sources.values()], failures })
}

function duplicate(first: Source<never>, second: Source<never>): DuplicateSourceError {
  const producers = [first, second].flatMap(({ producer }) => (producer === undefined ? [] : [`'${producer}'`]))
  const from = producers.length === 0 ? '' : ` (from producer ${producers.join(' and ')})`
  return new DuplicateSourceError(
    first.key,
    `Two sources of one context have the key '${first.key}'${from}: leave one out, or give it a key of its own`,
  )
}
