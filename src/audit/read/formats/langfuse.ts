/**
 * Langfuse: observations of type GENERATION, as the export to blob storage writes them (JSON lines, names with
 * underscores), as the API answers (camel case, in `data`, or in the `observations` of a trace), and as the pages export
 * them (JSON with JSON inside, or CSV).
 *
 * `input` is what an integration was given: messages, or all arguments of a call. Tools are in it, in the metadata, or
 * nowhere; cache marks where the integration passes blocks on.
 */
import type { Usage } from '../../../base/usage.ts'
import { recogniseFormat } from '../../../cache/layout/read-items.ts'
import { fields, type Fields } from '../../../cache/usage/fields.ts'
import { parseJson } from '../../../cache/usage/sse.ts'
import type { Exchange } from '../../exchange.ts'
import { csvCells, csvRows } from '../csv-rows.ts'
import { chatMessages, chatTools } from '../logged-messages.ts'
import { promptFidelity } from '../prompt-fidelity.ts'
import { bodyFor } from '../provider-body.ts'
import { providerNamed } from '../provider-name.ts'
import { readTime } from '../read-time.ts'
import type { Head, LogReader, ReaderInput } from '../types.ts'
import { nameOf, type JsonRecord } from './json-records.ts'
import { firstRows, jsonRows } from './json-rows.ts'
import { langfuseUsage } from './langfuse-usage.ts'

const lists = ['data', 'observations']

/** Reads exports of Langfuse. */
export const langfuse: LogReader = {
  id: 'langfuse',
  title: 'Langfuse export',
  hint: 'Langfuse keeps what the integration was given: log the request body itself as the input of the generation, with its tools and cache marks.',
  recognises: (head) => isTable(head) || firstRows(head, lists).some(isObservation),
  async *read(input) {
    for await (const row of isTable(input.head)
      ? csvRows(input.lines(), (problem) => input.unread(problem))
      : jsonRows(input, lists)) {
      const exchange = readObservation(row, input)
      if (exchange !== null) yield exchange
    }
  },
}

function isTable({ text, start }: Head): boolean {
  if (start !== undefined) return false
  return isObservation(Object.fromEntries(csvCells(/^[^\r\n]*/.exec(text)?.[0] ?? '').map((name) => [name, ''])))
}

const telling = [
  'usage_details',
  'cost_details',
  'provided_model_name',
  'parent_observation_id',
  'completion_start_time',
]

function isObservation(row: Fields): boolean {
  const has = (name: string): boolean => name in row || camel(name) in row
  return has('start_time') && has('trace_id') && telling.some(has)
}

function camel(name: string): string {
  return name.replace(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase())
}

/** A field in either spelling; empty cells and null are nothing. */
function cell(row: Fields, name: string): unknown {
  const value = row[name] ?? row[camel(name)]
  return value === null || value === '' ? undefined : value
}

/** A value that may be written as JSON text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value
  return parseJson(value) ?? value
}

function readObservation({ record, line }: JsonRecord, input: ReaderInput): Exchange | null {
  if (!isObservation(record)) {
    input.unread({ line, kind: 'unknown-shape', message: 'The entry is no observation.' })
    return null
  }
  const type = cell(record, 'type') ?? 'GENERATION'
  if (type !== 'GENERATION') {
    input.unread({ line, kind: 'other-traffic', message: 'An observation that is no generation.' })
    return null
  }
  const model = nameOf(cell(record, 'provided_model_name')) ?? nameOf(cell(record, 'model'))
  const metadata = fields(parsed(cell(record, 'metadata'))) ?? {}
  const provider = providerNamed(providerIn(metadata), model)
  const request = requestOf(record, metadata, provider, model)
  if (request === undefined)
    input.unread({ line, kind: 'no-body', message: 'The generation has no input that is a prompt.' })
  const startedAt = readTime(cell(record, 'start_time'))
  const failed = cell(record, 'level') === 'ERROR'
  return {
    kind: 'generate',
    request,
    response: parsed(cell(record, 'output')),
    usage: usageOf(record, model),
    error: failed ? (nameOf(cell(record, 'status_message')) ?? 'error') : undefined,
    startedAt,
    endedAt: readTime(cell(record, 'end_time')),
    provider,
    model,
    ids: {
      request: nameOf(record['id']),
      session: nameOf(cell(record, 'session_id')) ?? nameOf(cell(record, 'trace_id')),
      agent: nameOf(record['name']),
    },
    source: { file: input.name, line },
    fidelity: promptFidelity(request, { time: startedAt !== undefined }),
  }
}

/** Newer rows have the details, older ones an object with fewer names, exported tables columns. */
function usageOf(row: Fields, model: string | undefined): Usage | undefined {
  const details = fields(parsed(cell(row, 'usage_details')))
  return (
    langfuseUsage(details, model) ?? langfuseUsage(fields(parsed(row['usage'])), model) ?? langfuseUsage(row, model)
  )
}

/** What integrations note about the vendor: LangChain, OpenTelemetry. */
function providerIn(metadata: Fields): unknown {
  const attributes = fields(parsed(metadata['attributes'])) ?? metadata
  return metadata['ls_provider'] ?? attributes['gen_ai.provider.name'] ?? attributes['gen_ai.system']
}

function requestOf(
  row: Fields,
  metadata: Fields,
  provider: string | undefined,
  model: string | undefined,
): object | undefined {
  const logged = parsed(cell(row, 'input'))
  const whole = fields(logged)
  const named = model === undefined ? {} : { model }
  const parameters = fields(parsed(cell(row, 'model_parameters'))) ?? {}
  // All arguments of a call, in the provider's own words.
  if (whole !== undefined && recogniseFormat({ ...named, ...whole }) !== undefined && whole['messages'] === undefined) {
    return { ...named, ...whole }
  }
  const messages = chatMessages(whole === undefined ? logged : whole['messages'])
  if (messages === undefined) return undefined
  const tools = chatTools(parsed(whole?.['tools'] ?? metadata['tools'] ?? parameters['tools'])) ?? definedTools(row)
  const chat = { ...parameters, ...named, ...whole, messages, ...(tools === undefined ? {} : { tools }) }
  return bodyFor(provider, model, chat)
}

/** Tools as a map from their names to their definitions. */
function definedTools(row: Fields): readonly unknown[] | undefined {
  const definitions = fields(parsed(cell(row, 'tool_definitions'))) ?? {}
  return chatTools(Object.entries(definitions).map(([name, text]) => ({ name, ...fields(parsed(text)) })))
}
