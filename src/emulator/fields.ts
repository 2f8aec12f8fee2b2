/** Looking into a body that was parsed from JSON and whose shape nobody has checked: what is not there reads as nothing. */
import type { Json } from '../base/json.ts'

/** An object of a body. */
export interface Fields {
  readonly [key: string]: unknown
}

/** The object, or one without keys where there is something else. */
export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

/** The list, or an empty one where there is something else. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The string, or undefined where there is something else. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A part of a parsed body, to be sent back as it came; absent is null. */
export function json(value: unknown): Json {
  return (value ?? null) as Json
}
