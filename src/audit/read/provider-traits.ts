/** Whose call it was where the host does not say: by what only one of the providers is sent or answers. */
import { field, has, textOf } from '../../cache/layout/peek.ts'
import type { Address } from './traffic.ts'

interface Seen extends Address {
  readonly model: string
  readonly request: object
  readonly response: unknown
}

// The first that fits counts.
const traits: readonly (readonly [(seen: Seen) => boolean, string])[] = [
  [({ path, model }) => path.endsWith('/v1/messages') && /^(?:claude|$)/.test(model), 'anthropic'],
  [({ path }) => /:(?:stream)?generateContent$/i.test(path) || path.endsWith('/cachedContents'), 'gemini'],
  [({ path }) => /\/model\/[^/]+\/(?:converse|invoke)/.test(path), 'bedrock'],
  [({ request }) => textOf(request, 'anthropic_version').startsWith('bedrock'), 'bedrock'],
  [({ request }) => textOf(request, 'anthropic_version').startsWith('vertex'), 'vertex'],
  [({ response }) => has(response, 'venice_parameters'), 'generic'],
  [({ path, response }) => path.startsWith('/openai/v1/') || has(response, 'x_groq'), 'groq'],
  [({ path }) => path.startsWith('/openai/deployments/'), 'azure'],
  [({ response }) => has(field(response, 'timings'), 'cache_n'), 'llama.cpp'],
  [({ path, response }) => path.startsWith('/api/v1/') && has(response, 'provider'), 'openrouter'],
  [({ model }) => model.startsWith('deepseek'), 'deepseek'],
  [({ model }) => /^(?:mi|magi|mini|pix|code|dev)stral/.test(model), 'mistral'],
  [({ model }) => model.startsWith('grok'), 'xai'],
  [({ model }) => /^(?:gpt-\d|o\d|chatgpt|codex)/.test(model), 'openai'],
]

/** As the simulator names it; undefined where nothing tells. */
export function guessProvider(address: Address, request: object, response: unknown): string | undefined {
  const seen = { ...address, model: textOf(request, 'model'), request, response }
  return traits.find(([fits]) => fits(seen))?.[1]
}
