/** Sources that keep changing in every way there is: other values, gone and back, unavailable, incompatible. */
import { absent, combine, defineSource, unavailable, type Codec, type Context } from '../../src/index.ts'
import type { Random } from './random.ts'

const text: Codec<string> = { encode: (value) => value, decode: (json) => String(json) }
const names: Codec<readonly string[]> = { encode: (value) => value, decode: (json) => json as string[] }

/** A context whose values change at random, about every second time that they are read. */
export function changingContext(random: Random): Context {
  let branch = 'main'
  return combine(
    defineSource({
      key: 'crash/branch',
      codec: text,
      load: () => {
        if (random.chance(0.3)) branch = `branch-${random.below(1000)}`
        return branch
      },
      baseline: (current) => `The branch is ${current}.`,
      update: (previous, current) => `The branch changed from ${previous} to ${current}.`,
    }),
    defineSource({
      key: 'crash/files',
      codec: names,
      load: async () => {
        await Promise.resolve()
        return Array.from({ length: random.chance(0.8) ? 3 : 1 + random.below(40) }, (_, index) => `file-${index}.ts`)
      },
      baseline: (current) => `The open files are ${current.join(', ')}.`,
      update: (_previous, current) => `The open files are now ${current.join(', ')}.`,
    }),
    defineSource({
      key: 'crash/note',
      codec: text,
      required: false,
      authority: 'user',
      load: () => {
        if (random.chance(0.2)) return random.chance(0.5) ? unavailable : absent
        return `note ${random.below(3)}`
      },
      baseline: (current) => `A note says: ${current}.`,
      update: (_previous, current) => `The note now says: ${current}.`,
      removed: () => 'The note is gone.',
    }),
    defineSource({
      key: 'crash/mode',
      codec: text,
      // Without a text for its removal, so that going away is an incompatible change.
      load: () => (random.chance(0.03) ? absent : 'fast'),
      baseline: (current) => `The mode is ${current}.`,
      update: (_previous, current) => `The mode is now ${current}.`,
    }),
  )
}
