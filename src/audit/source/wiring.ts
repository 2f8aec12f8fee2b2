/**
 * How the parts are used, for each API: sessions over the context, and one request with its answer. Every name that is
 * imported is one of the package or of the provider's own SDK.
 */
import { dialects } from './dialects.ts'
import { quote } from './quote.ts'
import type { Target } from './target.ts'
import type { Imports, Part } from './types.ts'

/** The code that stands behind the parts, and what it imports. */
export interface Wiring {
  readonly imports: Imports
  readonly code: string
}

/** What uses `parts` for an API. */
export function wiringOf(parts: readonly Part[], { api, model, platform }: Target): Wiring {
  const dialect = dialects[api]
  const { entry, format, adapter, sdk, message, body, answer } = dialect
  const sources = parts.filter(({ gives }) => gives === 'context').map(({ name }) => name)
  const options = parts.filter(({ gives }) => gives === 'options').map(({ name }) => `...${name}`)
  const adapterOptions = [
    ...(platform === null ? [] : [`platform: ${quote(platform)}`]),
    ...parts.filter(({ gives }) => gives === 'adapter-options').map(({ name }) => `...${name}`),
  ]
  const fields = [
    'store: memoryStore()',
    `format: ${format}`,
    'instructions',
    'context',
    ...options,
    '...(tools && { tools })',
  ]
  const parameters = [
    'turn',
    dialect.parameters(model === null ? "'TODO: the id of the model'" : quote(model)),
    ...(adapterOptions.length === 0 ? [] : [`{ ${adapterOptions.join(', ')} }`]),
  ]
  return {
    imports: {
      indelible: ['combine', 'type Context', 'createSessions', 'memoryStore', 'type Session', 'type Sessions'],
      [entry]: [format, adapter],
      'indelible/cache': ['readUsage'],
      [sdk]: [message, body, answer].map((name) => `type ${name}`),
    },
    code: `export const context: Context = combine(${sources.join(', ')})

/** Sessions that keep the start of their prompt. \`instructions\` is what never changes of it; sqliteStore() keeps them on disk. */
export function createAgent(instructions: string, tools?: () => readonly object[]): Sessions<${message}> {
  return createSessions({ ${fields.join(', ')} })
}

/**
 * One request and its answer. Before it, \`session.submit\` what the user says, or \`session.append\` results of tools:
 * \`answerIn(agent.open('ticket-17'), ${dialect.send})\`.
 */
export async function answerIn(
  session: Session<${message}>,
  send: (body: ${body}, headers: Record<string, string>) => Promise<${answer}>,
): Promise<${answer}> {
  const turn = await session.turn()
  const { body, headers } = ${adapter}(${parameters.join(', ')})
  const answer = await send(body, headers)
${dialect.record.map((line) => `  ${line}`).join('\n')}
  return answer
}`,
  }
}
