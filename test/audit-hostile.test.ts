/**
 * Logs as they lie about: cut off, copied, mangled, and made to hurt whoever reads them. Whatever is in them, there is a
 * report or an error that says what was tried, and the report keeps its laws and its schema.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import schema from '../schema/indelible.audit-1.schema.json' with { type: 'json' }
import { audit, type AuditOptions, type AuditReport } from '../src/audit/index.ts'
import { IndelibleError } from '../src/base/error.ts'
import { guessTokens } from '../src/cache/index.ts'
import { printReport } from '../src/cli/audit/print/print-report.ts'
import { createPaint } from '../src/cli/output.ts'
import { printableJson } from '../src/cli/printable.ts'
import { conversation, environmentOf } from './support/audit/coding-agent.ts'
import { linesOf } from './support/audit/log.ts'
import { expectSound, namesOf, turnsOf } from './support/audit/readings.ts'
import { calls } from './support/audit/scenes.ts'

const parser = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])

/** Anything with names. */
type Values = Record<string, unknown>

/** A record of the log; tests put into it what they like. */
interface Entry extends Values {
  readonly request: Values & {
    readonly headers: Values
    body: Values & {
      readonly messages: [{ content: unknown }, ...unknown[]]
      readonly system: [{ text: string }, ...unknown[]]
      readonly tools: [Values, ...unknown[]]
    }
  }
  response: Values & { readonly body: Values }
}

/** Six turns, of which each has another branch in its system prompt. */
const lines = linesOf(
  calls(conversation({ turns: 6, environment: (turn) => environmentOf({ branch: `topic-${'abcdef'[turn]}` }) })),
)
const log = textOf(lines)

function textOf(records: readonly string[]): string {
  return records.map((line) => `${line}\n`).join('')
}

/** The log with something else in its records. */
function changed(change: (entry: Entry, index: number) => void): string {
  return textOf(
    lines.map((line, index) => {
      const entry = JSON.parse(line) as Entry
      change(entry, index)
      return JSON.stringify(entry)
    }),
  )
}

type Files = Readonly<Record<string, string | Uint8Array>>

function auditFiles(files: Files, options: AuditOptions = {}): Promise<AuditReport> {
  const logs = Object.entries(files).map(([name, content]) => ({
    name,
    async *open() {
      yield typeof content === 'string' ? new TextEncoder().encode(content) : content
    },
  }))
  return audit(logs, {
    countTokens: guessTokens,
    now: new Date('2026-12-01'),
    salt: 'salt',
    secret: 'secret',
    ...options,
  })
}

/** Everything that a user sees of a report. */
function printsOf(report: AuditReport): readonly string[] {
  const paint = createPaint(false)
  return [printableJson(report), printReport(report, paint, false), printReport(report, paint, true)]
}

/** The report, which is sound, is what the schema says, has each turn in one stream, and can be printed. */
async function audited(content: string | Uint8Array | Files, options?: AuditOptions): Promise<AuditReport> {
  const isFiles = typeof content === 'object' && !(content instanceof Uint8Array)
  const report = await auditFiles(isFiles ? content : { 'log.jsonl': content }, options)
  const [json = '', text = '', all = ''] = printsOf(report)
  expect(parser.safeParse(JSON.parse(json)).error?.issues).toBeUndefined()
  expectSound(report)
  const indexes = turnsOf(report).map(({ index }) => index)
  expect(new Set(indexes).size).toBe(indexes.length)
  expect(indexes).toHaveLength(report.totals.turns)
  expect(text.split('\n').length).toBeLessThanOrEqual(49)
  expect(`${text}${all}`).not.toMatch(/\bNaN\b|\bundefined\b|\bInfinity\b|\[object/)
  return report
}

/** What was found, without what the time and place of the records decide. */
function findings(report: AuditReport): unknown {
  return [report.totals.turns, namesOf(report), report.culprits.map(({ tokensLost }) => tokensLost), report.totals.cost]
}

const clean = await audited(log)
const expected = findings(clean)

describe('a log that was cut', () => {
  it('at its end is read up to the line that is half there', async () => {
    const report = await audited(log.slice(0, -1000))
    expect([report.totals.turns, report.unread]).toMatchObject([5, [{ line: 6, kind: 'broken' }]])
  })

  it('at its start, in the middle of a line that is longer than what formats are told from', async () => {
    const long = changed(({ request: { body } }) => (body.messages[0].content = 'A long story. '.repeat(40_000)))
    const report = await audited(long.slice(1000))
    expect([report.totals.turns, report.unread]).toMatchObject([5, [{ line: 1, kind: 'broken' }]])
  })

  it('behind something else that is no record, and is long', async () => {
    const report = await audited(`${'='.repeat(1_000_000)}\n${log}`)
    expect(findings(report)).toEqual(expected)
    expect(report.unread).toMatchObject([{ line: 1, kind: 'broken' }])
  })
})

describe('a log', () => {
  it('may have its messages far behind the start of each line', async () => {
    const late = changed(({ request }) => {
      const { messages, ...rest } = request.body
      request.body = { ...rest, stop_sequences: ['\n'.repeat(200_000)], messages }
    })
    expect(namesOf(await audited(late))).toEqual(namesOf(clean))
  })

  it.each([
    ['with CR LF', log.replaceAll('\n', '\r\n')],
    ['with a byte order mark', `\uFEFF${log}`],
    ['with blank lines', log.replaceAll('\n', '\n\n \n')],
    ['in UTF-16', Uint8Array.from(Buffer.from(`\uFEFF${log}`, 'utf16le'))],
    ['one object over many lines behind the other, as jq writes it', jq(log)],
    ['as a list', JSON.stringify(lines.map((line) => JSON.parse(line) as unknown))],
  ])('means the same %s', async (_name, content) => {
    expect(findings(await audited(content))).toEqual(expected)
  })

  it('may have NUL bytes, values that are no records, and depth that no stack holds', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const [first = '', ...rest] = lines
    const content = textOf([
      '\0'.repeat(4096),
      'null',
      '"text"',
      deep,
      `{"deep":${deep}}`,
      first.replace('"max_tokens":', `"metadata":${deep},"max_tokens":`),
      ...rest,
    ])
    const report = await audited(content)
    expect(findings(report)).toEqual(expected)
    expect(report.unread.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5])
  })

  it('may hold half of a character anywhere', async () => {
    const report = await audited(
      changed(({ request: { body } }, index) => {
        body.system[0].text = `\uD83D${index} \uDC00 ${body.system[0].text}`
        body.messages[0].content = `\uD800${index}`
      }),
      { includeText: true },
    )
    expect(printableJson(report).isWellFormed()).toBe(true)
  })

  it('gives the same report each time, but for salted hashes', async () => {
    const [one, other] = [
      await audited(log, { salt: 'a', secret: 'b' }),
      await audited(log, { salt: 'c', secret: 'd' }),
    ]
    const withoutHashes = (report: AuditReport): string =>
      JSON.stringify(report, (key, value: unknown) => (key === 'hash' ? null : value))
    expect(withoutHashes(one)).toBe(withoutHashes(other))
    expect(JSON.stringify(one)).not.toBe(JSON.stringify(other))
  })
})

describe('a call that is logged twice', () => {
  const named = changed(({ response }, index) => (response.body['id'] = `msg_01XFDUDYJgAACzvnptvVoYE${index}`))

  it('is one call, in a copy of the log as in a line that stands there twice', async () => {
    const copies = await audited({ 'a.jsonl': named, 'backup/a.jsonl': named })
    expect(findings(copies)).toEqual(expected)
    expect(copies.unread).toHaveLength(6)
    expect(copies.unread[0]).toEqual({
      file: 'backup/a.jsonl',
      line: 1,
      kind: 'repeated',
      message: 'The same call was read already, from a.jsonl:1.',
    })
    const twice = await audited(named.replaceAll(/.+\n/g, '$&$&'))
    expect(findings(twice)).toEqual(expected)
    expect(twice.unread.map(({ line }) => line)).toEqual([2, 4, 6, 8, 10, 12])
  })

  it('is two where the answer is another one, or it was made at another time', async () => {
    const again = changed(({ response }, index) => (response.body['id'] = `msg_02XFDUDYJgAACzvnptvVoYE${index}`))
    expect((await audited({ 'a.jsonl': named, 'b.jsonl': again })).totals.turns).toBe(12)
    const later = named.replaceAll('2026-11-02T', '2026-11-03T')
    expect((await audited({ 'a.jsonl': named, 'b.jsonl': later })).totals.turns).toBe(12)
  })
})

describe('times', () => {
  it.each([
    0,
    '1970-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    [1e300, 0],
    1e300,
    'soon',
    {},
  ])('that are none are absent: %j', async (time) => {
    const report = await audited(changed((entry) => Object.assign(entry, { startedAt: time, endedAt: time })))
    expect(turnsOf(report).map(({ startedAt }) => startedAt)).toEqual(Array.from({ length: 6 }, () => null))
    expect(report.totals.verdicts.map(({ verdict }) => verdict)).not.toContain('expired')
  })

  it('may be equal, go backwards, or end before they start', async () => {
    const noon = '2026-11-02T12:00:00Z'
    await audited(changed((entry) => Object.assign(entry, { startedAt: noon, endedAt: noon })))
    await audited(changed((entry) => ([entry.startedAt, entry.endedAt] = [entry.endedAt, entry.startedAt])))
    expect((await audited(textOf(lines.toReversed()))).totals.turns).toBe(6)
  })
})

describe('usage', () => {
  it.each([-1, 1e300, 1e15, 1.5, '12', null, [], {}, true])('of %j is a count or absent', async (value) => {
    const odd = changed(({ response }) => {
      const usage = response.body['usage'] as Values
      for (const key of Object.keys(usage)) usage[key] = value
    })
    expect((await audited(odd)).totals.turns).toBe(6)
  })
})

describe('names that objects of JavaScript have', () => {
  it('are names like others, as ids and as keys', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    const keys = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}'
    const report = await audited(
      changed((entry, index) => {
        const name = names[index % names.length]!
        Object.assign(entry, { session_id: name, request_id: name, provider: name, query_source: name })
        entry.request.body['model'] = name
        entry.request.body.tools[0].name = name
      })
        .replaceAll('"max_tokens":', `${keys},"max_tokens":`)
        .replaceAll('"input_schema":{', `"input_schema":{${keys},`),
    )
    expect(report.totals.turns).toBe(6)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('hostile text', () => {
  const hostile = '\u001B[31m\u202Eevil\u2066\u0007\u009B<script>alert(1)</script>\u200B\n'
  it.each([false, true])(
    'reaches neither a terminal nor a line of JSON as it is, with texts %s',
    async (includeText) => {
      const report = await audited(
        {
          [`${hostile}.jsonl`]: changed((entry, index) => {
            const text = `${hostile}${index}`
            Object.assign(entry, { session_id: hostile, request_id: text, provider: hostile, query_source: hostile })
            const { request, response } = entry
            request.headers['anthropic-beta'] = text
            Object.assign(request.body, {
              model: hostile,
              service_tier: text,
              tool_choice: { type: text },
              [hostile]: text,
            })
            request.body.tools[0] = { name: text, description: text, input_schema: { [hostile]: text } }
            request.body.system[0].text += text
            Object.assign(response.body, { id: text, model: hostile, stop_reason: text, service_tier: text })
            response.body['diagnostics'] = { cache_miss_reason: { type: text } }
          }),
          [`${hostile}.txt`]: hostile,
        },
        { includeText },
      )
      for (const print of printsOf(report)) expect(print.match(/[^\P{C}\n]/u)).toBeNull()
    },
  )
})

describe('keys', () => {
  const keys = [
    'sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcdEFGH',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
    'AKIAIOSFODNN7EXAMPLE',
    'ghp_Zz9yXx8wVv7uTt6sRr5qPp4oNn3mLl2kJj1i',
    'sk-proj-Zz9yXx8wVv7uTt6sRr5qPp4oNn3m',
  ]
  /** What of a key tells it. */
  const marks = keys.flatMap((key) => [key.slice(0, 16), key.slice(-12)])
  const leaksIn = (print: string): string[] =>
    marks.filter(
      (mark) => print.toLowerCase().includes(mark.toLowerCase().replaceAll(/\W/g, '_')) || print.includes(mark),
    )

  const places: Record<string, (entry: Entry, key: string) => void> = {
    'a system prompt': ({ request }, key) => (request.body.system[0].text += `\nAuthorization: Bearer ${key}\n`),
    'tools, their names and their schemas': ({ request }, key) => {
      const name = key.replaceAll(/\W/g, '_')
      request.body.tools[0] = { name, description: `Use ${key}.`, input_schema: { properties: { [key]: {} } } }
    },
    messages: ({ request }, key) => (request.body.messages[0].content = `My key is ${key}.`),
    parameters: ({ request }, key) =>
      Object.assign(request.body, { model: key, tool_choice: { type: 'tool', name: key }, metadata: { user_id: key } }),
    headers: ({ request }, key) =>
      Object.assign(request.headers, {
        authorization: `Bearer ${key}`,
        cookie: `session=${key}`,
        'anthropic-beta': key,
        'x-session-affinity': key,
      }),
    addresses: ({ request }, key) => (request['url'] = `https://user:${key}@example.com/v1/messages?key=${key}`),
    ids: (entry, key) => {
      Object.assign(entry, { session_id: key, request_id: key, query_source: key, project: key })
      Object.assign(entry.response.body, { id: key, model: key })
    },
    'what an answer says of itself': ({ response }, key) => {
      Object.assign(response.body, {
        service_tier: key,
        stop_reason: key,
        diagnostics: { cache_miss_reason: { type: key } },
      })
      Object.assign(response.body['usage'] as Values, { service_tier: key, [key]: key })
    },
    errors: (entry, key) => {
      const body = { type: 'error', error: { type: 'authentication_error', message: key } }
      Object.assign(entry, { error: `Invalid key: ${key}`, response: { status: 401, body } })
    },
  }
  it.each(Object.keys(places))('in %s are in no report', async (place) => {
    const content = changed((entry, index) => places[place]?.(entry, keys[index % keys.length]!))
    for (const includeText of [false, true]) {
      for (const print of printsOf(await audited(content, { includeText }))) {
        expect(leaksIn(print)).toEqual([])
      }
    }
  })

  it('in lines that cannot be read are in no message', async () => {
    const broken = keys.map((key) => `{"authorization": "Bearer ${key}"`)
    const prints = printsOf(
      await audited(log + textOf([...broken, ...keys.map((key) => JSON.stringify({ [key]: key }))])),
    )
    const error: unknown = await auditFiles({ 'log.jsonl': textOf(broken) }).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(IndelibleError)
    for (const print of [...prints, String(error)]) {
      expect(leaksIn(print)).toEqual([])
    }
  })
})

describe('anything else in the place of anything', () => {
  it('is no reason to fail, nor for a report that does not add up', async () => {
    const odd = fc.constantFrom<unknown>(null, -1, 1e300, 0.5, '', 'x', '__proto__', [], {}, [null], { type: 5 }, true)
    const change = fc.record({ at: fc.nat(10_000), odd })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
        const content = lines.map((line, index) => replaced(line, changes.slice(index % 3)))
        const report = await audited(textOf(content)).catch((error: unknown) => error)
        if (report instanceof Error) expect(report).toBeInstanceOf(IndelibleError)
      }),
      { numRuns: 40 },
    )
  })
})

/** The line with other values in some places of its tree, counted in the order of the text. */
function replaced(line: string, changes: readonly { readonly at: number; readonly odd: unknown }[]): string {
  let count = 0
  JSON.parse(line, (_, value: unknown) => (count++, value))
  const places = new Map(changes.map(({ at, odd }) => [at % count, odd]))
  let at = 0
  return JSON.stringify(JSON.parse(line, (_, value: unknown) => (places.has(at++) ? places.get(at - 1) : value)))
}

/** JSON lines, each over many lines. */
function jq(text: string): string {
  return text.replaceAll(/.+/g, (line) => JSON.stringify(JSON.parse(line), null, 2))
}
