/** `indelible explain`: two request bodies from files, what the cache can reuse of the first for the second, and why not the rest. */
import { readFile } from 'node:fs/promises'
import { explain } from '../../audit/index.ts'
import { loadTokenCounter } from '../../cache/index.ts'
import { CommandError } from '../errors.ts'
import { createPaint, type Output } from '../output.ts'
import { printableJson } from '../printable.ts'
import { printExplanation } from './print.ts'

export interface ExplainCommandOptions {
  readonly provider?: string
  readonly model?: string
  /** Seconds. */
  readonly gap: number
  readonly json?: boolean
}

/** Prints what the cache can reuse, and returns 0. */
export async function runExplain(
  files: { readonly before: string; readonly after: string },
  { provider, model, gap, json }: ExplainCommandOptions,
  output: Output,
): Promise<0> {
  const [before, after] = await Promise.all([readBody(files.before), readBody(files.after)])
  const explanation = explain(before, after, {
    provider,
    model,
    gapSeconds: gap,
    at: new Date(),
    countTokens: await loadTokenCounter(),
  })
  output.write(json === true ? printableJson(explanation) : printExplanation(explanation, createPaint(output.colors)))
  return 0
}

/** Where a log has the body of a request, the body itself first. */
const holders = [[], ['request', 'body'], ['request'], ['body'], ['req', 'body']] as const
/** What a body of any API that is read has one of. */
const bodyKeys = ['messages', 'input', 'contents']

async function readBody(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new CommandError(
      `${file} is not JSON: ${(cause as Error).message}. Give the body of one request in each file.`,
      { cause },
    )
  }
  for (const path of holders) {
    const held = path.reduce<unknown>(fieldOf, value)
    const body = typeof held === 'string' ? parsed(held) : held
    if (bodyKeys.some((key) => fieldOf(body, key) !== undefined)) return body
  }
  throw new CommandError(
    `${file} holds no request: there is no "messages", "input" or "contents" in it, nor under "request", "body" or "request.body".`,
  )
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
