/** Seeded data for the benches: the same on every run and machine. */
import { combine, defineSource } from '../src/index.ts'
import type { Context, Json } from '../src/index.ts'

/** A small generator (mulberry32), so that data look random and never are. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Lower-case text of exactly `length` characters. */
export function text(random: () => number, length: number): string {
  let made = ''
  while (made.length < length) made += random().toString(36).slice(2, 9) + ' '
  return made.slice(0, length)
}

const words = (
  'the a file function returns value when test passes request model cache token prefix of in to and read write error ' +
  'line import const await number string list message tool result before after every session context update if not ' +
  'path branch commit change build type object array index length name user server client'
).split(' ')

/** Words in lines, as in notes and code comments, of exactly `length` characters: what a tokenizer is made for. */
export function prose(random: () => number, length: number): string {
  let made = ''
  while (made.length < length) {
    const word = words[Math.floor(random() * words.length)] as string
    made += random() < 0.08 ? `${word}.\n` : `${word} `
  }
  return made.slice(0, length)
}

const codec = { encode: (value: Json): Json => value, decode: (json: Json): Json => json }

/** Objects of about 150 bytes of JSON, as a source would hold. */
export function sourceValues(count: number): Record<string, Json>[] {
  const random = seeded(7)
  return Array.from({ length: count }, (_, index) => ({
    id: index,
    name: text(random, 24),
    path: `/srv/${text(random, 20)}`,
    flags: [index, 2, true, null],
    detail: { owner: text(random, 16), size: Math.floor(random() * 1e6), open: false },
  }))
}

/** A context over `loaders`, one source each. */
export function contextOver(loaders: readonly (() => Json | Promise<Json>)[]): Context {
  return combine(
    ...loaders.map((load, index) =>
      defineSource<Json>({
        key: `bench/source-${index}`,
        codec,
        load,
        baseline: (current) => `Source ${index} is ${JSON.stringify(current)}.`,
        update: (_previous, current) => `Source ${index} is now ${JSON.stringify(current)}.`,
      }),
    ),
  )
}
