/**
 * Codecs for the values of this layer, which are JSON as they are: encoding is the identity, and decoding checks that
 * what was stored, perhaps by another release, has the shape that the renderers expect. Properties that they do not
 * know are left out.
 */
import type { Json } from '../base/json.ts'
import type { Codec } from '../context/index.ts'

/** Returns `json` as an `A`, or throws a `TypeError` saying what was expected where (`undefined`: no such property). */
export type Shape<A> = (json: Json | undefined, path: string) => A

/** The codec of values of one shape. */
export function codecOf<A extends Json>(shape: Shape<A>): Codec<A> {
  return { encode: (value) => value, decode: (json) => shape(json, '$') }
}

export const string: Shape<string> = (json, path) => (typeof json === 'string' ? json : mismatch(path, 'a string'))

export const number: Shape<number> = (json, path) => (typeof json === 'number' ? json : mismatch(path, 'a number'))

export const boolean: Shape<boolean> = (json, path) => (typeof json === 'boolean' ? json : mismatch(path, 'a boolean'))

export function oneOf<const A extends string>(...options: readonly A[]): Shape<A> {
  return (json, path) =>
    options.find((option) => option === json) ?? mismatch(path, options.map((option) => `'${option}'`).join(' or '))
}

export function nullable<A>(shape: Shape<A>): Shape<A | null> {
  return (json, path) => (json === null ? null : shape(json, path))
}

export function list<A>(shape: Shape<A>): Shape<readonly A[]> {
  return (json, path) =>
    Array.isArray(json) ? json.map((item, index) => shape(item, `${path}[${index}]`)) : mismatch(path, 'an array')
}

export function object<A extends object>(shapes: { readonly [K in keyof A]: Shape<A[K]> }): Shape<A> {
  const entries = Object.entries<Shape<unknown>>(shapes)
  return (json, path) => {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return mismatch(path, 'an object')
    const properties = json as { readonly [key: string]: Json }
    return Object.fromEntries(entries.map(([key, shape]) => [key, shape(properties[key], `${path}.${key}`)])) as A
  }
}

function mismatch(path: string, expected: string): never {
  throw new TypeError(`${path} is not ${expected}`)
}
