/**
 * Reading stored values back, for the renderers.
 *
 * What is decoded is always a fresh canonical copy, never the live value. So a text is a function of what is stored,
 * whatever the insertion order of keys was, and nothing that a renderer does to its argument reaches the snapshot.
 */
import { canonicalCopy } from '../base/json.ts'
import type { Json } from '../base/json.ts'
import { Unobserved } from './observe.ts'
import type { Source } from './source.ts'

/** A value of a source in both its forms: as it is stored, and as the renderers see it. */
export interface Decoded {
  readonly source: Source<never>
  readonly value: Json
  readonly current: unknown
}

/** Throws what the codec throws. */
export function decodeValue(source: Source<never>, value: Json): Decoded {
  return { source, value, current: source.codec.decode(canonicalCopy(value)) }
}

/** A value just read that its own codec cannot read back counts as one that could not be observed. */
export function decodeReading(source: Source<never>, reading: Json | Unobserved): Decoded | Unobserved {
  if (reading instanceof Unobserved) return reading
  try {
    return decodeValue(source, reading)
  } catch (error) {
    return new Unobserved('error', error)
  }
}
