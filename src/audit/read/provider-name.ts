/**
 * Providers by the names that SDKs, gateways and tracing conventions give them (`anthropic.messages`, `vertex_ai`,
 * `gcp.gemini`, `AWS`), as the simulator names them.
 */
import { parseModel } from '../../cache/model.ts'

// The first that fits counts: names of platforms often contain those of the vendors whose models they serve.
const names: readonly (readonly [pattern: RegExp, provider: string, forClaude?: string])[] = [
  [/openrouter/, 'openrouter'],
  [/vertex.*anthropic|anthropic.*vertex/, 'vertex'],
  [/vertex/, 'vertex-gemini', 'vertex'],
  [/azure|foundry/, 'azure', 'foundry'],
  [/bedrock|^aws\b|amazon/, 'bedrock'],
  [/gemini|google|^gcp\b/, 'gemini'],
  [/groq/, 'groq'],
  [/deepseek/, 'deepseek'],
  [/mistral/, 'mistral'],
  [/^x[._-]?ai\b|grok/, 'xai'],
  [/vllm/, 'vllm'],
  [/sglang/, 'sglang'],
  [/llama[._-]?cpp/, 'llama.cpp'],
  [/anthropic|claude/, 'anthropic'],
  [/openai|chatgpt|codex/, 'openai'],
]

/** The simulator's name; `generic` for a name that nobody knows, undefined where there is none. */
export function providerNamed(name: unknown, model: string | undefined): string | undefined {
  if (typeof name !== 'string' || name === '') return undefined
  const lower = name.toLowerCase()
  const found = names.find(([pattern]) => pattern.test(lower))
  if (found === undefined) return 'generic'
  const [, provider, forClaude] = found
  return forClaude !== undefined && model !== undefined && parseModel(model) !== undefined ? forClaude : provider
}
