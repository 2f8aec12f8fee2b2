/**
 * What our breakpoints cost against the placements that two frameworks document, in the simulator: the same conversations, the
 * same bodies, other marks. Costs are in input-token equivalents: a token that is read, written or neither at its price as a
 * multiple of the price of input. Nothing is timed.
 *
 * - AI SDK (ai-sdk.dev, Anthropic provider and "Dynamic Prompt Caching"): on the system message, and on the last message, where
 *   a mark goes to the last block.
 * - LangChain (langchain-anthropic, AnthropicPromptCachingMiddleware): on the last system block, on the last tool, and automatic
 *   caching for the rest.
 */
import type { ContentBlockParam, MessageParam } from '@anthropic-ai/sdk/resources/messages'
import { anthropicMultipliers } from '../src/cache/anthropic/multipliers.ts'
import { anthropicBreakpoints, createSimulator } from '../src/cache/index.ts'
import type { Entry, TurnView } from '../src/index.ts'
import { RULES_AS_OF } from '../src/session/rules-as-of.ts'
import { toAnthropicMessages } from '../src/wire/anthropic/index.ts'
import { prose, seeded } from './fixtures.ts'

/** One request of a conversation, and what comes of it. Lengths are in characters. */
export interface Step {
  /** The texts of a user message before it. One is sent anyway where nothing else waits for an answer. */
  readonly says: readonly number[]
  /** Something changed, and the model is told. */
  readonly update: boolean
  /** Texts and tool calls of the answer in turns, then the remaining calls side by side; `null` where the request is aborted. */
  readonly answer: { readonly texts: number; readonly calls: number } | null
  /** Minutes until the next request. */
  readonly minutes: number
}

/** The placements, ours first. */
export const placements = ['ours', 'AI SDK', 'LangChain'] as const
export type Placement = (typeof placements)[number]

const MODEL = 'claude-opus-5'
const RESULT = 900

/**
 * What each placement costs up to and with each request of a conversation, had by so many sessions of one agent, one after the
 * other: instructions and tools are the same, the baselines and nonces are not.
 */
export function costsOf(steps: readonly Step[], sessions = 1): Record<Placement, readonly number[]> {
  const requests = Array.from({ length: sessions }, (_, index) => play(steps, index)).flat()
  const costs = placements.map((placement): [Placement, readonly number[]] => {
    const simulator = createSimulator({ provider: 'anthropic' })
    let sum = 0
    const running = requests.map(({ turn, minute }) => {
      const { body } = toAnthropicMessages(turn, { model: MODEL, max_tokens: 1024 })
      const startedAt = Date.UTC(2026, 11, 1) + minute * 60_000
      const { usage } = simulator.send(placement === 'ours' ? body : marked(body, placement), { startedAt })
      const { read, write } = anthropicMultipliers
      sum += usage.uncached + usage.read * read + usage.write5m * write['5m'] + usage.write1h * write['1h']
      return sum
    })
    return [placement, running]
  })
  return Object.fromEntries(costs) as Record<Placement, readonly number[]>
}

interface MarkedBody {
  tools?: object[]
  system?: object[]
  messages: { role: string; content: string | (ContentBlockParam & object)[] }[]
  cache_control?: object
}

const mark = { cache_control: { type: 'ephemeral' } }

/** The body with a framework's marks in place of ours. */
function marked(body: object, placement: Exclude<Placement, 'ours'>): MarkedBody {
  const bare = JSON.parse(
    JSON.stringify(body, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
  ) as MarkedBody
  if (bare.system !== undefined) bare.system = withLastMarked(bare.system)
  if (placement === 'LangChain') return { ...bare, tools: withLastMarked(bare.tools ?? []), ...mark }
  const last = bare.messages.at(-1)
  if (last === undefined) return bare
  const blocks = typeof last.content === 'string' ? [{ type: 'text' as const, text: last.content }] : last.content
  if (anthropicBreakpoints.markable.includes(blocks.at(-1)?.type ?? '')) last.content = withLastMarked(blocks)
  return bare
}

function withLastMarked<B extends object>(blocks: readonly B[]): B[] {
  return blocks.map((block, index) => (index === blocks.length - 1 ? { ...block, ...mark } : block))
}

/** The turns of a session and when they are sent. */
function play(steps: readonly Step[], session: number): { turn: TurnView<MessageParam>; minute: number }[] {
  const shared = seeded(41)
  const random = seeded(43 + session)
  const instructions = prose(shared, 9_000)
  const baseline = prose(random, 1_200)
  const definitions = ['edit', 'read', 'search'].map((name) => ({
    name,
    description: prose(shared, 600),
    input_schema: { type: 'object', properties: { path: { type: 'string' } } },
  }))
  const entries: Entry<MessageParam>[] = []
  const head = () => ({ revision: entries.length + 1, epoch: 1 })
  const say = (message: MessageParam) => entries.push({ ...head(), type: 'message', message })
  let minute = session * steps.reduce((sum, { minutes }) => sum + minutes, 0)
  let waits = false
  return steps.map(({ says, update, answer, minutes }, index) => {
    const texts = says.length === 0 && !waits ? [120] : says
    if (texts.length > 0) {
      say({ role: 'user', content: texts.map((length) => ({ type: 'text', text: prose(random, length) })) })
    }
    if (update) {
      const text = `The branch is now feature/${index}.`
      entries.push({ ...head(), type: 'update', text, parts: [{ authority: 'system', text, keys: [] }], changes: [] })
    }
    const turn: TurnView<MessageParam> = {
      session: `bench-${session}`,
      epoch: 1,
      revision: entries.length,
      instructions,
      baseline,
      system: '',
      entries: [...entries],
      update: null,
      started: null,
      stale: [],
      tools: { definitions, callable: ['edit', 'read', 'search'], held: [] },
      nonce: `nonce-${session}`,
      rulesAsOf: RULES_AS_OF,
      refusals: [],
    }
    const request = { turn, minute }
    minute += minutes
    waits = answer === null
    if (answer !== null) {
      const content = answerOf(answer, index, random)
      say({ role: 'assistant', content })
      const results = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
      waits = results.length > 0
      if (waits) say({ role: 'user', content: results.map((id) => resultOf(id, random)) })
    }
    return request
  })
}

function answerOf(
  { texts, calls }: NonNullable<Step['answer']>,
  index: number,
  random: () => number,
): ContentBlockParam[] {
  const content: ContentBlockParam[] = []
  for (let at = 0; at < Math.max(texts, calls); at++) {
    if (at < texts || content.length === 0) content.push({ type: 'text', text: prose(random, 180) })
    if (at < calls)
      content.push({ type: 'tool_use', id: `toolu_${index}_${at}`, name: 'read', input: { path: prose(random, 40) } })
  }
  return content
}

function resultOf(id: string, random: () => number): ContentBlockParam {
  return { type: 'tool_result', tool_use_id: id, content: prose(random, RESULT) }
}

const repeat = (count: number, step: (index: number) => Partial<Step>): readonly Step[] =>
  Array.from({ length: count }, (_, index) => ({
    says: [],
    update: false,
    answer: { texts: 1, calls: 0 },
    minutes: 1,
    ...step(index),
  }))

/** Conversations as they are had; a row may be had by several sessions. */
export const conversations: Readonly<Record<string, { readonly steps: readonly Step[]; readonly sessions?: number }>> =
  {
    'a chat of 30 turns': { steps: repeat(30, (index) => ({ says: [200], update: index % 7 === 3 })) },
    'five chats of 4 turns, one after the other': { steps: repeat(4, () => ({ says: [200] })), sessions: 5 },
    'a tool loop of 60 steps': {
      steps: repeat(60, (index) => ({ answer: { texts: 1, calls: 1 }, update: index % 10 === 9 })),
    },
    'steps of 30 parallel calls': { steps: repeat(12, () => ({ answer: { texts: 1, calls: 30 } })) },
    'steps of 15 calls with a text before each': { steps: repeat(12, () => ({ answer: { texts: 15, calls: 15 } })) },
    'every third request aborted': {
      steps: repeat(30, (index) => ({
        says: [200],
        update: index % 3 === 1,
        answer: index % 3 === 2 ? null : { texts: 1, calls: index % 2 },
      })),
    },
    'long pastes, aborted now and then': {
      steps: repeat(16, (index) => ({
        says: Array.from({ length: 24 }, () => 300),
        answer: index % 4 === 2 ? null : { texts: 1, calls: 0 },
      })),
    },
  }

/** From which request on one running cost is never above another; `undefined` where it is at the end. */
export function breakEven(ours: readonly number[], theirs: readonly number[]): number | undefined {
  const above = ours.findLastIndex((cost, index) => cost > theirs[index]! + 1e-6)
  return above === ours.length - 1 ? undefined : above + 2
}

/** Prints by how much cheaper ours is over each conversation, and from which request on it is not dearer. */
export function printPlacements(words: readonly string[]): void {
  if (words.length > 0 && !words.some((word) => 'breakpoints'.includes(word))) return
  for (const [name, { steps, sessions }] of Object.entries(conversations)) {
    const { ours, ...others } = costsOf(steps, sessions)
    for (const [placement, theirs] of Object.entries(others)) {
      const cheaper = 1 - ours.at(-1)! / theirs.at(-1)!
      const turn = breakEven(ours, theirs)
      console.log(
        `breakpoints  ${(100 * cheaper).toFixed(1).padStart(5)} % cheaper than ${placement.padEnd(9)}  ` +
          `${turn === undefined ? 'never even' : `even from turn ${turn}`}  ${name}`,
      )
    }
  }
}
