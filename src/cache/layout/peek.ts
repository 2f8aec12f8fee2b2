/** Looking into values of unknown shape without ever failing: what is not there is `undefined`, what is no list is empty. */
import type { Fields } from './expect.ts'

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : []
}

export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Fields)[name] : undefined
}

export function has(value: unknown, name: string): boolean {
  return field(value, name) !== undefined
}

/** The text that a value holds under a name; empty where that is no text. */
export function textOf(value: unknown, name: string): string {
  const found = field(value, name)
  return typeof found === 'string' ? found : ''
}
