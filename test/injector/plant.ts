/**
 * Plants what breaks a cache into a conversation of an agent, and says where and on which turns. It imports nothing of
 * the package: what an audit must find is decided here, by code that knows nothing of how it looks.
 *
 * Values are outside of the patterns that a detector would have: times in words and in other calendars, branches and
 * ids in other scripts. With `fixed`, a culprit keeps its first form, and its later values are told by a message at the
 * end of the turn, as a source would tell them: the same conversation, repaired.
 */
import { Random } from '../support/random.ts'
import { prose } from './prose.ts'

/** What can be planted. */
export const plantable = [
  'clock',
  'date',
  'branch',
  'status',
  'tool-reordered',
  'tool-added',
  'call-ids',
  'pruned-result',
] as const

export type Plant = (typeof plantable)[number]

/** One that was planted. */
export interface Planted {
  readonly plant: Plant
  /** From 0: the turns whose request differs there from the one before. */
  readonly turns: readonly number[]
  /** The paths at which it may be seen, without the indexes of messages. */
  readonly path: RegExp
}

/** A conversation as a client would log it. */
export interface PlantedLog {
  readonly bodies: readonly unknown[]
  /** Milliseconds since the epoch, one per body. */
  readonly times: readonly number[]
  readonly outputs: readonly number[]
  readonly planted: readonly Planted[]
}

export interface PlantOptions {
  readonly seed: number
  readonly turns: number
  readonly culprits: readonly Plant[]
  /** Of these, the ones that are repaired. */
  readonly fixed?: readonly Plant[]
}

const mark = { cache_control: { type: 'ephemeral' } }
const start = Date.UTC(2026, 10, 30, 22, 40)

/** Makes the conversation. The same options give the same bytes; `culprits` and `fixed` change nothing but what they name. */
export function plant({ seed, turns, culprits, fixed = [] }: PlantOptions): PlantedLog {
  const world = new World(seed, turns)
  const has = (what: Plant): boolean => culprits.includes(what)
  const moves = (what: Plant): boolean => has(what) && !fixed.includes(what)
  const history: Message[] = []
  const bodies: unknown[] = []
  for (let turn = 0; turn < turns; turn++) {
    history.push(...world.userMessages(turn))
    const told = world.updates(turn, (what) => has(what) && fixed.includes(what))
    history.push(...told)
    const at = (what: Plant): number => (moves(what) ? turn : 0)
    bodies.push({
      model: 'claude-opus-5',
      max_tokens: 8192,
      tools: world.tools(at('tool-reordered'), moves('tool-added') ? turn : 0),
      system: [
        { type: 'text', text: world.rules },
        {
          type: 'text',
          text: world.environment(
            has('clock') ? at('clock') : undefined,
            has('date') ? at('date') : undefined,
            has('branch') ? at('branch') : undefined,
            has('status') ? at('status') : undefined,
          ),
          ...mark,
        },
      ],
      messages: marked(history.map((message) => world.seen(message, at('call-ids'), at('pruned-result')))),
    })
    history.push(world.answer(turn))
  }
  return {
    bodies,
    times: world.times,
    outputs: world.outputs,
    planted: culprits.filter((what) => !fixed.includes(what)).map((what) => world.planted(what)),
  }
}

interface Message {
  readonly role: string
  readonly content: readonly Block[]
}
type Block = Readonly<Record<string, unknown>>

/** All that happens, decided before the first request. */
class World {
  readonly rules: string
  readonly times: readonly number[]
  readonly outputs: readonly number[]
  readonly #seed: number
  readonly #names: readonly string[]
  readonly #descriptions: readonly string[]
  readonly #changes: Readonly<Record<Plant, readonly number[]>>
  readonly #asked: readonly string[]
  readonly #results: readonly string[]
  readonly #said: readonly string[]

  constructor(seed: number, turns: number) {
    const random = new Random(seed)
    this.#seed = seed
    this.rules = `You look after a repository. ${prose(random, 9_000)}`
    let time = start
    this.times = Array.from({ length: turns }, () => (time += 20_000 + random.below(100_000)))
    this.outputs = Array.from({ length: turns }, () => 60 + random.below(200))
    this.#names = ['read_file', 'write_file', 'search', 'run', 'list', 'ask', 'fetch', 'plan']
    this.#descriptions = this.#names.map(() => prose(random, 500))
    this.#asked = Array.from({ length: turns }, () => prose(random, 80 + random.below(300)))
    this.#results = Array.from({ length: turns }, () => prose(random, 600 + random.below(2_000)))
    this.#said = Array.from({ length: turns }, () => prose(random, 60 + random.below(200)))
    const some = (count: number): readonly number[] => {
      const chosen = new Set<number>()
      while (chosen.size < Math.min(count, turns - 3)) chosen.add(3 + random.below(turns - 3))
      return [...chosen].sort((one, other) => one - other)
    }
    this.#changes = {
      clock: Array.from({ length: turns - 1 }, (_, at) => at + 1),
      date: some(1),
      branch: some(2),
      status: some(6),
      'tool-reordered': some(2),
      'tool-added': some(1),
      'call-ids': some(2),
      'pruned-result': some(1),
    }
  }

  planted(what: Plant): Planted {
    return { plant: what, turns: this.#changes[what], path: paths[what] }
  }

  /** How often it has changed up to a turn. */
  #count(what: Plant, turn: number): number {
    return this.#changes[what].filter((change) => change <= turn).length
  }

  environment(clock?: number, date?: number, branch?: number, status?: number): string {
    const lines = [
      'About this place.',
      ...(clock === undefined ? [] : [`The hall clock says ${this.#clock(clock)}, as far as one can see.`]),
      'Everything below was looked up by the host, and holds until it says otherwise.',
      ...(date === undefined ? [] : [`The calendar on the wall is open at ${this.#date(date)} for now.`]),
      'Work is kept in one tree.',
      ...(branch === undefined ? [] : [`The tree is checked out on ${this.#branch(branch)} at present.`]),
      ...(status === undefined ? [] : [`Of the tree, ${this.#status(status)} since it was last put in order.`]),
      'Ask before you delete anything.',
    ]
    return lines.join('\n')
  }

  /** A message that tells what a repaired culprit has come to. Clocks, ids and orders are told nothing. */
  updates(turn: number, isFixed: (what: Plant) => boolean): Message[] {
    const texts: string[] = []
    const changed = (what: Plant): boolean => isFixed(what) && this.#changes[what].includes(turn)
    if (changed('date')) texts.push(`The calendar on the wall is now open at ${this.#date(turn)} for now.`)
    if (changed('branch')) texts.push(`The tree is now checked out on ${this.#branch(turn)}.`)
    if (changed('status')) texts.push(`Of the tree, now ${this.#status(turn)} since it was last put in order.`)
    const blocks: Block[] = texts.length === 0 ? [] : [{ type: 'text', text: texts.join('\n\n') }]
    if (changed('tool-added')) {
      blocks.push({ type: 'tool_addition', tool: { type: 'tool_definition', definition: this.#newTool() } })
    }
    return blocks.length === 0 ? [] : [{ role: 'system', content: blocks }]
  }

  #clock(turn: number): string {
    const beats = Math.floor(((this.times[turn] ?? start) - start) / 1_000)
    const words = ['nought', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
    const spelt = Array.from(String(beats), (digit) => words[Number(digit)])
    return `${spelt.join('-')} beats past the bell`
  }

  #date(turn: number): string {
    const day = this.#count('date', turn)
    return `${['Undecima', 'Duodecima'][day]} Frimaire, year CCXXXV`
  }

  #branch(turn: number): string {
    return ['zürich/ölmühle', 'große-reise', '修正/快取'][this.#count('branch', turn)] ?? 'haupt'
  }

  #status(turn: number): string {
    const count = this.#count('status', turn)
    const states = [
      'nothing moved',
      'a door was left open',
      'two lamps burn',
      'the stairs are wet',
      'a cat came in',
      'it is tidy',
      'rain got in',
    ]
    return states[count] ?? 'much has happened'
  }

  tools(reordered: number, added: number): Block[] {
    const tools = this.#names.map((name, at) => ({
      name,
      description: this.#descriptions[at],
      input_schema: { type: 'object', properties: { path: { type: 'string' }, limit: { type: 'integer' } } },
    }))
    const turned = this.#count('tool-reordered', reordered)
    // Some trade places; the rest stays.
    if (turned >= 1) tools.splice(2, 0, tools.pop()!)
    if (turned >= 2) tools.splice(5, 0, ...tools.splice(0, 1))
    if (this.#count('tool-added', added) > 0) tools.splice(3, 0, this.#newTool() as (typeof tools)[number])
    return tools
  }

  #newTool(): Block {
    return {
      name: 'weigh',
      description: 'Weighs a thing, and says what it came to.',
      input_schema: { type: 'object', properties: { thing: { type: 'string' } } },
    }
  }

  userMessages(turn: number): Message[] {
    const ask: Block = { type: 'text', text: this.#asked[turn] }
    if (turn === 0) return [{ role: 'user', content: [ask] }]
    const result: Block = { type: 'tool_result', tool_use_id: `call ${turn - 1}`, content: this.#results[turn - 1] }
    return [{ role: 'user', content: turn % 3 === 0 ? [result, ask] : [result] }]
  }

  answer(turn: number): Message {
    return {
      role: 'assistant',
      content: [
        { type: 'text', text: this.#said[turn] },
        {
          type: 'tool_use',
          id: `call ${turn}`,
          name: this.#names[(turn * 5) % this.#names.length],
          input: { path: `src/${(this.#said[turn] ?? '').slice(0, 12)}`, limit: turn },
        },
      ],
    }
  }

  /** A message as the client sends it: ids of its own making, and one long result cut once it is old. */
  seen(message: Message, ids: number, pruned: number): Message {
    const minted = this.#count('call-ids', ids)
    const short = this.#count('pruned-result', pruned) > 0
    return {
      role: message.role,
      content: message.content.map((block) => {
        const { type } = block
        if (type === 'tool_use') return { ...block, id: this.#id(block['id'], minted) }
        if (type !== 'tool_result') return block
        const content = short && block['tool_use_id'] === 'call 0' ? '[cut]' : block['content']
        return { ...block, tool_use_id: this.#id(block['tool_use_id'], minted), content }
      }),
    }
  }

  #id(call: unknown, minted: number): string {
    const random = new Random(this.#seed * 31 + Number(String(call).slice(5)) * 977 + minted * 7)
    return `ruf·${Array.from({ length: 10 }, () => random.pick('ΑΒΓΔΕΖΗΘΛΞΠΣΦΨΩ'.split(''))).join('')}`
  }
}

const paths: Readonly<Record<Plant, RegExp>> = {
  clock: /^system/,
  date: /^system/,
  branch: /^system/,
  status: /^system/,
  'tool-reordered': /^tools/,
  'tool-added': /^tools/,
  'call-ids': /^messages/,
  'pruned-result': /^messages/,
}

/** The mark on the last block of the last message that takes one. */
function marked(messages: readonly Message[]): Message[] {
  const last = messages.findLastIndex(({ content }) => content.length > 0)
  return messages.map((message, at) =>
    at === last
      ? {
          ...message,
          content: message.content.map((block, index) =>
            index === message.content.length - 1 ? { ...block, ...mark } : block,
          ),
        }
      : message,
  )
}
