/**
 * Recognising that a provider refused a native update or a tool that was appended, whatever client brings the error. A
 * session that is told of it lowers the model the other way from its next epoch on.
 */
import type { Platform, Rule } from '../cache/index.ts'
import type { Refusal } from '../session/types.ts'

/** Words of a provider for one refusal. */
interface RefusalWords extends Rule {
  readonly feature: Refusal['feature']
  readonly words: RegExp
}

const systemMessages = 'https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages'
const hoisting = 'https://github.com/BerriAI/litellm/pull/41082'
const clientTools = 'https://github.com/openai/openai-node'

/** Every way in which a refusal is put, as far as it is known. */
export const refusalWords: readonly RefusalWords[] = [
  row('native-updates', /role ['"`]?system['"`]? is not supported/i, systemMessages, 'official'),
  row('native-updates', /use the top-level ['"`]?system['"`]? parameter/i, systemMessages),
  row('native-updates', /role ['"`](?:system|developer)['"`].{0,30}not (?:supported|allowed|permitted)/i, hoisting),
  row('native-updates', /role['"`]? does not support ['"`](?:system|developer)['"`]/i, clientTools),
  row('native-updates', /unknown variant ['"`](?:system|developer)['"`],? expected/i, hoisting),
  row('native-updates', /system message must be at the beginning/i, hoisting),
  row(
    'native-updates',
    /(?:unexpected|unsupported|invalid) (?:message )?role:? ['"`]?(?:system|developer)\b/i,
    hoisting,
  ),
  row('native-updates', /does not support.{0,60}['"`](?:system|developer)['"`] (?:role|message)/i, hoisting, 'assumed'),
  row('native-updates', /\b(?:system|developer) (?:role|messages?) (?:is |are )?not supported/i, hoisting, 'assumed'),
  row('native-updates', /only user,? assistant.{0,20} roles are supported/i, hoisting, 'assumed'),
  row('native-updates', /['"`](?:system|developer)['"`] is not one of/i, hoisting, 'assumed'),
  row(
    'native-tools',
    /tool_(?:addition|removal)[^.]{0,60}not (?:supported|permitted|allowed)/i,
    systemMessages,
    'assumed',
  ),
  row('native-tools', /input tag ['"`]tool_(?:addition|removal)['"`]/i, systemMessages, 'assumed'),
  row(
    'native-tools',
    /(?:invalid|unknown|unsupported) (?:value|variant|type):? ['"`]additional_tools/i,
    clientTools,
    'assumed',
  ),
]

/** Places of which a provider says that the message is wrong there: it takes such messages, and the fault is ours. */
const misplaced = /role ['"`]?system['"`]? must (?:directly )?(?:follow|precede|be)/i

function row(
  feature: RefusalWords['feature'],
  words: RegExp,
  source: string,
  confidence: Rule['confidence'] = 'reported',
): RefusalWords {
  return { feature, words, source, confidence, since: '2026-12-01' }
}

/**
 * What a provider refused, ready for `session.refused()`; `undefined` for any other error. Looks at errors of status 400,
 * 404, 422 and 500 (some templates fail with that) and at errors without a status, in the error itself, in its body, and in
 * what it wraps.
 *
 * @example
 * ```ts
 * import { refusal } from 'indelible/anthropic'
 *
 * const error = { status: 400, message: "role 'system' is not supported on this model" }
 * console.log(refusal(error, { model: 'claude-opus-4-8' })?.feature) // => native-updates
 * console.log(refusal({ status: 529, message: 'Overloaded' }, { model: 'claude-opus-4-8' })) // => undefined
 * ```
 */
export function refusal(
  error: unknown,
  { model, platform }: { model: string; platform?: Platform },
): Refusal | undefined {
  const said = new Set<string>()
  if (!collect(error, said, 0)) return undefined
  const text = [...said].join('\n')
  if (misplaced.test(text)) return undefined
  const found = refusalWords.find(({ words }) => words.test(text))
  return found && { model, ...(platform !== undefined && { platform }), feature: found.feature }
}

/** Statuses that a provider gives to a request that it cannot take. */
const refused = new Set<unknown>([400, 404, 422, 500])
const statusFields = ['status', 'statusCode', 'httpStatusCode', 'code'] as const
const textFields = ['message', 'responseBody', 'body'] as const
const innerFields = ['error', 'cause', 'data', 'lastError', '$metadata'] as const
const DEPTH = 6

/** Gathers what an error says; false where its status is of another kind. The outermost status is the answer's own. */
function collect(error: unknown, said: Set<string>, depth: number, isRefused = false): boolean {
  if (typeof error === 'string') said.add(error)
  if (typeof error !== 'object' || error === null || depth > DEPTH) return true
  const status = statusFields.map((key) => read(error, key)).find(isStatus)
  if (!isRefused && status !== undefined && !refused.has(status)) return false
  for (const key of textFields) {
    const text = read(error, key)
    if (typeof text === 'string') said.add(text)
  }
  const known = isRefused || status !== undefined
  return innerFields.every((key) => collect(read(error, key), said, depth + 1, known))
}

/** Codes of applications are numbers, too. */
function isStatus(value: unknown): value is number {
  return typeof value === 'number' && value >= 100 && value < 600
}

/** What an error will not tell is not there. */
function read(error: object, key: string): unknown {
  try {
    return (error as Readonly<Record<string, unknown>>)[key]
  } catch {
    return undefined
  }
}
