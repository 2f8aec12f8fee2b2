/**
 * What an address says about a call: whether it is one to a model, whose, which model, and where it runs. Gateways keep
 * the paths of the API that they stand for behind a base path of their own, so only the end of a path counts.
 */
import type { RequestFormat } from '../../cache/layout/types.ts'
import type { ExchangeKind } from '../exchange.ts'

/** Where a request went. Both empty where the log does not say. */
export interface Address {
  /** With the port, unless it is the scheme's own. */
  readonly host: string
  /** Without the query, percent signs decoded. */
  readonly path: string
}

/** The address in a URL, or in a path where that is all there is. */
export function addressOf(url: unknown): Address {
  if (typeof url !== 'string' || url === '') return { host: '', path: '' }
  if (!URL.canParse(url)) return { host: '', path: url.startsWith('/') ? decoded(url.replace(/[?#][^]*$/, '')) : '' }
  const { host, port, hostname, pathname } = new URL(url)
  return { host: port === '443' || port === '80' ? hostname : host, path: decoded(pathname) }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const kinds: readonly (readonly [RegExp, ExchangeKind])[] = [
  [
    /\/messages\/count_tokens$|\/responses\/input_tokens$|\/count-tokens(?::rawPredict)?$|:countTokens$/,
    'count-tokens',
  ],
  [/\/cachedContents$/, 'create-cache'],
  [
    /\/(?:messages|chat\/completions|responses|responses\/compact|converse|converse-stream|invoke|invoke-with-response-stream)$|:(?:stream)?(?:generateContent|rawPredict)$/i,
    'generate',
  ],
]

/** What a path asks for; undefined for what is no call of a model, or of none that is known. */
export function kindOf(path: string): ExchangeKind | undefined {
  const end = path.replace(/\/+$/, '')
  return kinds.find(([pattern]) => pattern.test(end))?.[1]
}

const formats: readonly (readonly [RegExp, RequestFormat])[] = [
  [/\/chat\/completions\/*$/, 'openai-chat'],
  [/\/messages\/*$|:(?:streamR|r)awPredict$/, 'anthropic'],
  [/\/converse(?:-stream)?$/, 'bedrock-converse'],
]

/** The format of the bodies that are sent to a path, for bodies that could be of several. */
export function formatAt(path: string): RequestFormat | undefined {
  return formats.find(([pattern]) => pattern.test(path))?.[1]
}

/** True where the path says that the answer comes as a stream. */
export function isStreamPath(path: string): boolean {
  return /\/converse-stream$|\/invoke-with-response-stream$|:stream\w+$/i.test(path)
}

/** The model, where it is part of the path: Gemini, Vertex, Bedrock, and Azure's deployments. */
export function modelInPath(path: string): string | undefined {
  const found = /\/(?:models?|deployments)\/([^/]+?)(?=\/|:\w+$|$)/.exec(path)?.[1]
  return found === undefined || found === 'count-tokens' ? undefined : found
}

/** The region, in the hosts and paths of AWS and Google Cloud. */
export function regionOf({ host, path }: Address): string | undefined {
  return (
    /^(?:bedrock-runtime(?:-fips)?|bedrock-mantle|aws-external-anthropic)\.([a-z0-9-]+)\./.exec(host)?.[1] ??
    /^([a-z0-9-]+)-aiplatform\.googleapis\.com/.exec(host)?.[1] ??
    /\/projects\/[^/]+\/locations\/([^/]+)\//.exec(path)?.[1]
  )
}

// The first that fits counts. Gateways stand before the vendors whose names their addresses may contain.
const hosts: readonly (readonly [RegExp, string])[] = [
  [/openrouter/, 'openrouter'],
  [/venice/, 'generic'],
  [/aws-external-anthropic/, 'aws'],
  [/bedrock|amazonaws/, 'bedrock'],
  [/azure\.com$|azure\.us$|azure-api\.net$/, 'azure'],
  [/aiplatform\.googleapis/, 'vertex-gemini'],
  [/google|gemini/, 'gemini'],
  [/groq/, 'groq'],
  [/deepseek/, 'deepseek'],
  [/mistral/, 'mistral'],
  [/(?:^|\.)x\.ai$|^grok$|^xai$/, 'xai'],
  [/anthropic|claude/, 'anthropic'],
  [/openai|chatgpt/, 'openai'],
]

/** The provider that answers at an address, as the simulator names it; undefined where that is for others to say. */
export function providerAt({ host, path }: Address): string | undefined {
  const found = hosts.find(([pattern]) => pattern.test(host.replace(/:\d+$/, '')))?.[1]
  const isClaude = /\/anthropic\//.test(path) || /\/models\/claude[^/]*$/.test(path)
  if (found === 'vertex-gemini' && isClaude) return 'vertex'
  if (found === 'azure' && isClaude) return 'foundry'
  return found
}
