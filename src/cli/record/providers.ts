/**
 * Which environment variables lead SDKs and agents to an API, and where they lead unless somebody set them. Data only:
 * `routes.ts` decides where a request goes, `environment.ts` what a command is given.
 *
 * A variable is taken over only where a request under the new address means the same. So those that AWS signatures cover
 * (the host is part of what is signed) are not here.
 */

/** A variable with the base URL of an API. */
export interface BaseUrlVariable {
  readonly name: string
  /** Who reads it. */
  readonly readBy: string
  /** Where that is said. */
  readonly source: string
}

/** An API, and what leads to it. */
export interface Provider {
  /** The first part of the paths under which it is reached through the recorder. */
  readonly id: string
  /** Where it is unless a variable says otherwise; `undefined` for one that everybody has at an address of their own. */
  readonly base: string | undefined
  readonly variables: readonly BaseUrlVariable[]
  /** Variables with keys, any of which will do; the first gets a placeholder where none is set and no key is needed. */
  readonly keys: readonly string[]
  /** Its variables stay unset where this one is set, which clients would refuse beside them. */
  readonly unless?: string
}

const anthropicSdk = 'https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/client.ts'
const openaiSdk = 'https://github.com/openai/openai-node/blob/master/src/client.ts'
const claudeCode = 'https://code.claude.com/docs/en/llm-gateway'

export const PROVIDERS: readonly Provider[] = [
  {
    id: 'anthropic',
    base: 'https://api.anthropic.com',
    variables: [
      {
        name: 'ANTHROPIC_BASE_URL',
        readBy: 'the SDKs of Anthropic, Claude Code, the AI SDK',
        source: anthropicSdk,
      },
      {
        name: 'ANTHROPIC_API_BASE',
        readBy: 'LiteLLM, aider',
        source: 'https://docs.litellm.ai/docs/providers/anthropic',
      },
    ],
    keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
  },
  {
    id: 'openai',
    base: 'https://api.openai.com/v1',
    variables: [
      { name: 'OPENAI_BASE_URL', readBy: 'the SDKs of OpenAI, the AI SDK, Qwen Code', source: openaiSdk },
      {
        name: 'OPENAI_API_BASE',
        readBy: 'LiteLLM, aider, LangChain',
        source: 'https://docs.litellm.ai/docs/set_keys',
      },
    ],
    keys: ['OPENAI_API_KEY'],
    // Its client takes either an endpoint or a base URL, and reads both of the environment.
    unless: 'AZURE_OPENAI_ENDPOINT',
  },
  {
    id: 'google',
    base: 'https://generativelanguage.googleapis.com',
    variables: [
      {
        name: 'GOOGLE_GEMINI_BASE_URL',
        readBy: 'the Gen AI SDKs of Google, Gemini CLI',
        source: 'https://github.com/googleapis/js-genai/blob/main/src/_base_url.ts',
      },
    ],
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  },
  {
    id: 'groq',
    base: 'https://api.groq.com',
    variables: [
      {
        name: 'GROQ_BASE_URL',
        readBy: 'the SDKs of Groq',
        source: 'https://github.com/groq/groq-typescript/blob/main/src/client.ts',
      },
    ],
    keys: ['GROQ_API_KEY'],
  },
  {
    id: 'azure',
    base: undefined,
    variables: [
      {
        name: 'AZURE_OPENAI_ENDPOINT',
        readBy: 'the SDKs of OpenAI for Azure',
        source: 'https://github.com/openai/openai-node/blob/master/src/azure.ts',
      },
    ],
    keys: ['AZURE_OPENAI_API_KEY'],
  },
  {
    id: 'foundry',
    base: undefined,
    variables: [{ name: 'ANTHROPIC_FOUNDRY_BASE_URL', readBy: 'Claude Code on Foundry', source: claudeCode }],
    keys: ['ANTHROPIC_FOUNDRY_API_KEY'],
  },
  {
    id: 'vertex',
    base: undefined,
    variables: [{ name: 'ANTHROPIC_VERTEX_BASE_URL', readBy: 'Claude Code on Vertex', source: claudeCode }],
    keys: [],
  },
  {
    id: 'vertex-gemini',
    base: undefined,
    variables: [
      {
        name: 'GOOGLE_VERTEX_BASE_URL',
        readBy: 'the Gen AI SDKs of Google',
        source: 'https://github.com/googleapis/js-genai/blob/main/src/_base_url.ts',
      },
    ],
    keys: [],
  },
]

/** Those whose APIs the emulator has. */
export const EMULATED: ReadonlySet<string> = new Set(['anthropic', 'openai', 'google'])
