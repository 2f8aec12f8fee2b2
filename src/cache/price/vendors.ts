/**
 * Names of those who make models and of those who sell them.
 *
 * A name in front of a model id is dropped only when it is one of these: what else stands there may be part of what is
 * sold, at another price.
 */

/** One name per maker; the other spellings are of tables, gateways and ids. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  anthropic: [],
  openai: ['text-completion-openai'],
  google: ['gemini', 'google-ai-studio', 'google-gemini'],
  deepseek: ['deepseek-ai'],
  xai: ['x-ai', 'grok'],
  moonshotai: ['moonshot', 'kimi', 'moonshotai-cn'],
  zai: ['z-ai', 'zai-org', 'zhipu', 'zhipuai', 'glm'],
  minimax: ['minimaxai', 'minimax-cn'],
  mistral: ['mistralai'],
  qwen: ['alibaba', 'alibaba-cn', 'dashscope'],
}

const platformSpellings: Readonly<Record<string, readonly string[]>> = {
  bedrock: ['amazon-bedrock', 'bedrock_converse', 'bedrock_mantle'],
  vertex: [
    'vertex_ai',
    'google-vertex',
    'google-vertex-anthropic',
    'vertex_ai-anthropic_models',
    'vertex_ai-language-models',
  ],
  azure: ['azure_ai', 'azure-openai'],
  foundry: [],
  aws: [],
  openrouter: [],
}

const vendorNames = invert(spellings)
const platformNames = invert(platformSpellings)

/** Where a vendor's list prices are known to hold as well, apart from regional factors. */
const sameList: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['aws', 'bedrock', 'vertex', 'foundry'],
  openai: ['azure'],
  google: ['vertex'],
}

/** How the ids of a maker's models start. */
const families: readonly (readonly [RegExp, string])[] = [
  [/^claude\b/, 'anthropic'],
  [/^(?:gpt|chatgpt|o\d)\b/, 'openai'],
  [/^gemini\b/, 'google'],
  [/^deepseek\b/, 'deepseek'],
  [/^grok\b/, 'xai'],
  [/^kimi\b/, 'moonshotai'],
  [/^glm\b/, 'zai'],
  [/^minimax\b/, 'minimax'],
  [/^(?:mistral|codestral|devstral|ministral|magistral)\b/, 'mistral'],
  [/^(?:qwen|qwq)/, 'qwen'],
]

/** The one name of a vendor or platform; an unknown name stays as it is, in lower case. */
export function sellerName(name: string): string {
  const lower = name.toLowerCase()
  return vendorNames.get(lower) ?? platformNames.get(lower) ?? lower
}

/** True for the name of someone who makes models. */
export function isVendor(name: string): boolean {
  return vendorNames.has(name.toLowerCase())
}

/** True for any spelling of a vendor or platform. */
export function isSeller(name: string): boolean {
  return isVendor(name) || platformNames.has(name.toLowerCase())
}

/** True where `platform` sells the vendor's models at the vendor's own list prices. */
export function sellsAtList(provider: string, platform: string): boolean {
  return platform === provider || (sameList[provider] ?? []).includes(platform)
}

/** The maker of a model, from its id without prefixes. */
export function vendorOf(name: string): string | undefined {
  return families.find(([start]) => start.test(name))?.[1]
}

function invert(names: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(names).flatMap(([name, others]) => [name, ...others].map((spelling) => [spelling, name] as const)),
  )
}
