/**
 * Where an update, and the definition of a tool that came later, stand in a conversation: as a message of the system's
 * where the tables say that model and platform take one, else as tagged text at the end of what the user said.
 */
import { digest } from '../../base/digest.ts'
import { capability, newestRule, type Feature, type Platform, type RequestFormat } from '../../cache/index.ts'
import type { Turn } from '../record/types.ts'
import type { Standing } from './arrange.ts'
import { type Foundry, type FrozenBlock, type Slot } from './slots.ts'
import { tagUpdate } from './update-text.ts'

/** What the simulator's providers are called in the tables of what models take. */
const platforms: Readonly<Record<string, Platform>> = {
  anthropic: 'anthropic',
  aws: 'aws',
  vertex: 'vertex',
  foundry: 'foundry',
  bedrock: 'bedrock',
  openai: 'openai',
  azure: 'azure',
  gemini: 'gemini',
  'vertex-gemini': 'gemini-vertex',
  deepseek: 'deepseek',
  xai: 'xai',
  mistral: 'mistral',
  groq: 'groq',
  openrouter: 'openrouter',
  vllm: 'self-hosted',
  sglang: 'self-hosted',
  'llama.cpp': 'self-hosted',
}

type Played = Pick<Turn, 'number' | 'provider' | 'model' | 'format'>

/** Whether the definition of a tool can be told in the conversation. */
export function takesTools(turn: Played): boolean {
  // Chat Completions has no item for it.
  return (turn.format === 'anthropic' || turn.format === 'openai-responses') && supports(turn, 'native-tools')
}

/** A text that the application says in a turn. `place` is where it is put: that of a message. */
export function updateSlot(
  turn: Played,
  text: string,
  extraTokens: number,
  place: Slot['place'],
  foundry: Foundry,
): Slot {
  const native = supports(turn, 'native-updates')
  const like = {
    section: 'messages',
    role: native ? systemRole(turn.format) : 'user',
    type: 'text',
    joined: joins(turn.format),
    markable: turn.format !== 'gemini',
  } as const
  const said = native ? text : tagUpdate(text)
  const whole = foundry.block(like, said)
  // Of a text that is not kept only the size is known: it is that of no other turn.
  const block =
    extraTokens === 0
      ? whole
      : { ...whole, tokens: whole.tokens + extraTokens, digest: digest(`${turn.number} ${said}`), text: null }
  return { block, place, index: -1, mark: null, held: true, native: false, substitutions: [] }
}

/** A definition as it is told in the conversation: the block of it, in what adapters put around it. */
export function nativeTool(format: RequestFormat | null, tool: FrozenBlock, foundry: Foundry): FrozenBlock {
  const isAnthropic = format === 'anthropic'
  const [head, tail] = isAnthropic
    ? ['{"type":"tool_addition","tool":{"type":"tool_definition","definition":', '}}']
    : ['{"type":"additional_tools","role":"developer","tools":[', ']}']
  const like = {
    section: 'messages',
    role: systemRole(format),
    type: isAnthropic ? 'tool_addition' : 'additional_tools',
    joined: joins(format),
    markable: isAnthropic,
  } as const
  const { tokens } = foundry.block(like, head + tail)
  const text = tool.text === null ? null : head + tool.text + tail
  return { ...tool, ...like, tokens: tool.tokens + tokens, text }
}

/**
 * Puts what is told behind all that is new in a turn: never behind an answer that it ends with, and where updates are
 * messages of OpenAI's, before the last message of the user, whose end is what the cache finds again. `isNew` are the
 * segments that this turn brought.
 */
export function insertTold(
  turn: Played,
  standing: readonly Standing[],
  told: readonly Standing[],
  isNew: ReadonlySet<number>,
): readonly Standing[] {
  if (told.length === 0) return standing
  let end = standing.length
  while (end > 0 && answers.has(roleAt(standing, end - 1))) end--
  if (end === 0) end = standing.length
  const isOpenAI = turn.format === 'openai-chat' || turn.format === 'openai-responses'
  const isOfSystem = told.some(({ slot }) => slot.block.role !== 'user')
  if (isOpenAI && isOfSystem && roleAt(standing, end - 1) === 'user') {
    const { place } = (standing[end - 1] as Standing).slot
    while (end > 0 && standing[end - 1]?.slot.place === place && isNew.has(standing[end - 1]?.origin ?? -1)) end--
  }
  return [...standing.slice(0, end), ...told, ...standing.slice(end)]
}

const answers = new Set(['assistant', 'model'])

function roleAt(standing: readonly Standing[], at: number): string {
  return standing[at]?.slot.block.role ?? ''
}

function systemRole(format: RequestFormat | null): string {
  return format === 'openai-chat' || format === 'openai-responses' ? 'developer' : 'system'
}

/** Whether neighbours of one role are one message to the provider. */
function joins(format: RequestFormat | null): boolean {
  return format === 'anthropic' || format === 'bedrock-converse'
}

function supports({ provider, model, format }: Played, feature: Feature): boolean {
  const platform = format === 'bedrock-converse' ? 'bedrock-converse' : platforms[provider]
  if (platform === undefined || model === undefined) return false
  return capability({ model, platform, feature, asOf: newestRule })?.supported === true
}
