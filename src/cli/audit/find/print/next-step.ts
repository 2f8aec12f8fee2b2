/**
 * The line that would tell the rest. These logs have usage and lack system prompt and tools, so what broke the cache is
 * known only from whole requests: recorded on their way, or written by the client itself.
 */
import type { SpendingReport } from '../../../../audit/spending/types.ts'
import type { Paint } from '../../../output.ts'
import { claudeCode, codex, type Client } from '../places.ts'

/** What to run, and the other way, by client. */
const ways: readonly { readonly client: Client; readonly run: string; readonly or: readonly string[] }[] = [
  {
    client: claudeCode,
    run: 'npx indelible record -- claude',
    or: [
      'Or let Claude Code (2.1.111 or newer) write its requests, and audit that folder:',
      'CLAUDE_CODE_ENABLE_TELEMETRY=1 OTEL_LOGS_EXPORTER=otlp OTEL_LOG_RAW_API_BODIES=file:/absolute/folder claude',
    ],
  },
  {
    client: codex,
    run: 'npx indelible record -- codex',
    or: ['That is for an API key. Signed in with ChatGPT: claude-tap --tap-client codex'],
  },
]

/** What to do next, for the client that lost most. A command is never broken. */
export function nextLines({ sessions }: SpendingReport, paint: Paint): string[] {
  const lost = (client: Client): number =>
    sessions.reduce((sum, { format, lost: { tokens } }) => (format === client.format ? sum + tokens : sum), 0)
  const used = ways.filter(({ client }) => sessions.some(({ format }) => format === client.format))
  const [way] = used.toSorted((one, other) => lost(other.client) - lost(one.client))
  if (way === undefined) return []
  const name = paint('bold', 'What changed, only whole requests tell:')
  return [`${name} ${way.run}`, ...way.or]
}
