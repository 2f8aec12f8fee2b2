/** Which API a report's requests were made for: only its adapter, types and fields are of use to whoever reads the code. */
import { openAIPlatforms } from '../../cache/capability-rule.ts'
import type { AuditReport, AuditStream } from '../report/types.ts'
import type { Api } from './types.ts'

/** Where requests go. */
export interface Target {
  readonly api: Api
  /** As asked for; null where nobody says. */
  readonly model: string | null
  /** Who serves an API that many serve, by the adapter's name for it; null for the API's own provider. */
  readonly platform: string | null
}

/** Where the requests go on which most was spent. */
export function targetOf({ streams }: Pick<AuditReport, 'streams'>): Target {
  const [stream] = [...streams].sort(
    (one, other) => costOf(other) - costOf(one) || other.turns.length - one.turns.length,
  )
  if (stream === undefined) return { api: 'anthropic', model: null, platform: null }
  const { provider, model } = stream
  const api = apiOfStream(stream)
  const hosted = api.startsWith('openai') && provider !== 'openai'
  return { api, model, platform: hosted ? (openAIPlatforms.find((name) => name === provider) ?? null) : null }
}

function costOf({ turns }: AuditStream): number {
  return turns.reduce((sum, { cost, lost }) => sum + (cost?.write ?? 0) + (cost?.uncached ?? 0) + (lost.cost ?? 0), 0)
}

function apiOfStream({ provider, culprits, turns }: AuditStream): Api {
  switch (provider) {
    case 'anthropic':
    case 'bedrock':
      return provider
    case 'gemini':
      return 'google'
    default: {
      // Only the paths tell the two APIs apart.
      const paths = [...culprits.map(({ path }) => path), ...turns.flatMap(({ divergence }) => divergence?.path ?? [])]
      return paths.some((path) => /^(?:input|instructions|previous)\b/.test(path)) ? 'openai-responses' : 'openai-chat'
    }
  }
}
