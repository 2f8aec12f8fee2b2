/**
 * Codecs: how a source's value becomes JSON and back.
 *
 * A Standard Schema validator is a codec whose `encode` is the identity and whose `decode` validates, so what it
 * accepts and what it returns must be the same JSON type. Validation is synchronous, because a boundary compares
 * while it reads.
 */
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Json } from '../base/json.ts'
import { isThenable } from './settle.ts'
import type { Codec } from './types.ts'

/** The codec itself, or the validator as one. */
export function toCodec<A>(codec: Codec<A> | StandardSchemaV1<A>): Codec<A> {
  // Not by `typeof`: arktype's validators are functions.
  return '~standard' in codec ? schemaCodec(codec) : codec
}

function schemaCodec<A>(schema: StandardSchemaV1<A>): Codec<A> {
  return {
    // Whatever the value holds is checked to be JSON when it is compared and copied.
    encode: (value) => value as Json,
    decode(json) {
      const result = schema['~standard'].validate(json)
      if (isThenable(result)) {
        // Nobody waits for it, and its rejection must not end the process.
        Promise.resolve(result).catch(() => {})
        throw new TypeError(
          `The ${schema['~standard'].vendor} validator is asynchronous; a source needs a synchronous one`,
        )
      }
      if (result.issues !== undefined) throw new TypeError(result.issues.map(describeIssue).join('; '))
      return result.value
    },
  }
}

function describeIssue({ message, path = [] }: StandardSchemaV1.Issue): string {
  const where = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment)).join('.')
  return where === '' ? message : `${where}: ${message}`
}
