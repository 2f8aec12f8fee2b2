/**
 * The conversation of a coding agent with Claude, body by body, as its client sends it: rules, an environment, tools, and
 * messages that grow by a call and its result in each turn. What a test wants to be broken it changes on the way; without
 * that, all of it is cached.
 */
import { prose } from '../../injector/prose.ts'
import { Random } from '../random.ts'

/** A block of a message or of the system prompt. */
export type Block = Readonly<Record<string, unknown>>

export interface Message {
  readonly role: string
  readonly content: readonly Block[] | string
}

export interface Tool {
  readonly name: string
  readonly description: string
  readonly input_schema: object
}

/** A body of the Messages API. */
export interface Body {
  readonly model: string
  readonly max_tokens: number
  readonly tools: readonly Tool[]
  readonly system: readonly Block[]
  readonly messages: readonly Message[]
}

/** How a conversation goes. All functions are asked for each turn, from 0. */
export interface Scene {
  readonly turns: number
  /** What is said depends on it. */
  readonly seed?: number
  readonly rules?: (turn: number) => string
  /** The second block of the system prompt. */
  readonly environment?: (turn: number) => string
  readonly tools?: (turn: number) => readonly Tool[]
  /** What the client makes of the conversation, before it marks the end. */
  readonly history?: (messages: readonly Message[], turn: number) => readonly Message[]
  /** What the model answered in that turn. */
  readonly answer?: (turn: number, usual: readonly Block[]) => readonly Block[]
  /** What else the body has, or has instead. */
  readonly over?: (turn: number, body: Body) => object
  /** False where the client marks no message. */
  readonly marksMessages?: boolean
}

/** A breakpoint. */
export const mark = { cache_control: { type: 'ephemeral' } } as const

/** Makes the bodies of a conversation. */
export function conversation(scene: Scene): Body[] {
  const { turns, seed = 1, answer = (_, usual) => usual, history = (messages) => messages } = scene
  const { environment = () => environmentOf(), rules = () => rulesOf(), tools = () => toolsOf(), over } = scene
  const { marksMessages = true } = scene
  const messages: Message[] = []
  return Array.from({ length: turns }, (_, turn) => {
    messages.push({ role: 'user', content: saidByUser(seed, turn) })
    const seen = history(structuredClone(messages), turn)
    const body: Body = {
      model: 'claude-opus-5',
      max_tokens: 16_000,
      tools: tools(turn),
      system: [
        { type: 'text', text: rules(turn) },
        { type: 'text', text: environment(turn), ...mark },
      ],
      messages: marksMessages ? markedAtEnd(seen) : seen,
    }
    messages.push({ role: 'assistant', content: answer(turn, saidByModel(seed, turn)) })
    return { ...body, ...over?.(turn, body) }
  })
}

/** The conversation with a breakpoint on its last block. */
export function markedAtEnd(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1)
  if (last === undefined) return messages
  const blocks = blocksOf(last)
  const marked = blocks.map((block, index) => (index === blocks.length - 1 ? { ...block, ...mark } : block))
  return [...messages.slice(0, -1), { ...last, content: marked }]
}

/** The blocks of a message, whichever way it is written. */
export function blocksOf({ content }: Message): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/** The conversation with blocks changed; `null` leaves one out. */
export function mapBlocks(
  messages: readonly Message[],
  change: (block: Block, message: number) => Block | null,
): readonly Message[] {
  return messages.map((message, index) => ({
    ...message,
    content: blocksOf(message).flatMap((block): readonly Block[] => {
      const changed = change(block, index)
      return changed === null ? [] : [changed]
    }),
  }))
}

/** What an agent is told: some 2,400 tokens by the guess of lengths. */
export function rulesOf(): string {
  return `You are a coding agent that works in the repository of a shop. Answer briefly.\n\n${prose(new Random(4711), 9000)}`
}

/** What differs between workspaces and days, in the words of a real client. */
export interface Environment {
  readonly cwd: string
  readonly date: string
  readonly branch: string
  readonly status: string
  /** Lines at the end. */
  readonly more: readonly string[]
}

/** The block that tells the agent where it works. */
export function environmentOf(over: Partial<Environment> = {}): string {
  const { cwd = '/home/ana/shop', date = '2026-11-02', branch = 'main', status = '(clean)', more = [] } = over
  return [
    'Here is useful information about the environment you are running in:',
    '<env>',
    `Working directory: ${cwd}`,
    'Is directory a git repo: Yes',
    'Platform: linux',
    'OS Version: Linux 6.12.0',
    `Today's date: ${date}`,
    '</env>',
    '',
    `Current branch: ${branch}`,
    '',
    'Main branch (you will usually use this for PRs): main',
    '',
    'Status:',
    status,
    '',
    'Recent commits:',
    'a1b2c3d Totals of empty carts are zero',
    'f00dbee Prices are rounded at the end',
    ...more,
  ].join('\n')
}

const names = ['read_file', 'write_file', 'search', 'run_tests', 'list_files', 'fetch'] as const

/** The tools of the agent. */
export function toolsOf(): Tool[] {
  return names.map((name, index) => toolOf(name, index))
}

/** A tool by its name. */
export function toolOf(name: string, seed = 99): Tool {
  return {
    name,
    description: `Use ${name} for what it says. ${prose(new Random(300 + seed), 240)}`,
    input_schema: {
      type: 'object',
      properties: { path: { type: 'string', description: 'Where it is.' }, limit: { type: 'integer' } },
      required: ['path'],
    },
  }
}

/** The id of the call that the model made in a turn. */
function callId(seed: number, turn: number): string {
  const random = new Random(seed * 104_729 + turn * 7919 + 17)
  const letters = 'ABCDEFGHJKMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789'.split('')
  return `toolu_01${Array.from({ length: 22 }, () => random.pick(letters)).join('')}`
}

function saidByUser(seed: number, turn: number): readonly Block[] {
  const random = new Random(seed * 1000 + turn)
  if (turn === 0) return [{ type: 'text', text: `The totals of the cart are wrong. ${prose(random, 500)}` }]
  const result = { type: 'tool_result', tool_use_id: callId(seed, turn - 1), content: fileOf(random) }
  return turn % 4 === 0 ? [result, { type: 'text', text: `And look at this, too. ${prose(random, 200)}` }] : [result]
}

function saidByModel(seed: number, turn: number): readonly Block[] {
  const random = new Random(seed * 1000 + turn + 500)
  return [
    { type: 'text', text: `I will look at it. ${prose(random, 160)}` },
    {
      type: 'tool_use',
      id: callId(seed, turn),
      name: names[turn % names.length],
      input: { path: `src/cart/${random.pick(['total', 'tax', 'price', 'coupon'])}-${turn}.ts`, limit: 100 + turn },
    },
  ]
}

function fileOf(random: Random): string {
  return Array.from({ length: 14 }, (_, line) => `${line + 1}\t${prose(random, 90)}`).join('\n')
}
