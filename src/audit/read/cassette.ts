/**
 * What the test cassettes of all recorders have in common: interactions, each a request and its response as HTTP.
 *
 * They are read one at a time, from YAML as from JSON, so that a file of any size fits. A body that cannot be read takes
 * its interaction along when it is the request's, and only itself when it is the response's.
 */
import { field, has, list } from '../../cache/layout/peek.ts'
import { parseJson } from '../../cache/usage/sse.ts'
import type { Exchange } from '../exchange.ts'
import { exchangeOf, type HttpRecord } from './http-exchange.ts'
import type { RecordedBody } from './recorded-body.ts'
import type { Head, ReaderInput } from './types.ts'
import { createYamlParser, yamlDocuments, yamlListItems, type YamlItem } from './yaml-items.ts'

/** An interaction with its bodies read. */
export interface Interaction extends Omit<HttpRecord, 'request' | 'response' | 'line'> {
  readonly request: RecordedBody
  readonly response: RecordedBody
}

/** How one recorder writes an interaction; undefined for what is none. */
export type InteractionReader = (recorded: unknown) => Interaction | undefined

// Ruby's VCR has the longer name.
const listNames = ['interactions', 'http_interactions']
const listKey = /^["']?(?:http_)?interactions["']?\s*:\s*(?:#.*)?$/m

/** True for a YAML file that begins like a cassette with a list of interactions. */
export function isYamlCassette({ text, start }: Head): boolean {
  return start === undefined && listKey.test(text)
}

/** The request of the first interaction of a cassette in JSON; undefined for any other file. */
export function firstRequest({ start }: Head): unknown {
  return field(listNames.flatMap((name) => list(field(start, name)))[0], 'request')
}

/** The calls among the interactions of a cassette with a list of them. */
export function readInteractions(input: ReaderInput, read: InteractionReader): AsyncGenerator<Exchange> {
  const name = listNames.find((each) => has(input.head.start, each))
  if (name !== undefined) return readElements(input, [name], read)
  const items = yamlListItems(input.lines(), listKey, (problem) => input.unread(problem))
  return readItems(input, items, (value) => read(list(value)[0]))
}

/** The calls of a cassette that is one YAML document for each interaction. */
export function readDocuments(input: ReaderInput, read: InteractionReader): AsyncGenerator<Exchange> {
  const documents = yamlDocuments(input.lines(), (problem) => input.unread(problem))
  return readItems(input, documents, read)
}

/** The calls of a cassette that is a JSON document with a list of interactions at `path`. */
export async function* readElements(
  input: ReaderInput,
  path: readonly string[],
  read: InteractionReader,
): AsyncGenerator<Exchange> {
  for await (const { text, line } of input.items(path)) {
    const value = parseJson(text)
    if (value === undefined) input.unread({ line, kind: 'broken', message: 'The entry is no JSON.' })
    else yield* readInteraction(input, read(value), line)
  }
}

async function* readItems(
  input: ReaderInput,
  items: AsyncIterable<YamlItem>,
  read: InteractionReader,
): AsyncGenerator<Exchange> {
  const parse = createYamlParser()
  for await (const item of items) {
    const record = parse(item)
    if (record.type === 'broken') input.unread({ line: record.line, kind: 'broken', message: record.message })
    else yield* readInteraction(input, read(record.value), item.line)
  }
}

function* readInteraction(input: ReaderInput, interaction: Interaction | undefined, line: number): Generator<Exchange> {
  if (interaction === undefined) {
    input.unread({ line, kind: 'unknown-shape', message: 'The entry is no request with its response.' })
    return
  }
  const { request, response } = interaction
  if (request.type === 'unread') {
    input.unread({ line, kind: 'unknown-shape', message: request.message })
    return
  }
  const answer = response.type === 'body' ? response.value : undefined
  const exchange = exchangeOf({ ...interaction, request: request.value, response: answer, line }, input)
  if (exchange === null) return
  if (response.type === 'unread') input.unread({ line, kind: 'unknown-shape', message: response.message })
  yield exchange
}
