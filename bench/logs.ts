/** Logs of agents at work, as large as one likes: the same bytes on every run and machine, made line by line. */
import { prose, seeded } from './fixtures.ts'

const CONVERSATION_TURNS = 50
const INTERLEAVED = 20
/** In one of so many conversations the system prompt tells the time. */
const CLOCK_EVERY = 10

/** How large the bodies are, in characters: at the start of a conversation, and what each turn adds. */
export interface BodySize {
  readonly system: number
  readonly turn: number
}

/** 100 kB on average. */
export const usualBodies: BodySize = { system: 40_000, turn: 2_300 }
/** 500 kB on average: some 125,000 tokens, as agents send that read whole files. */
export const largeBodies: BodySize = { system: 120_000, turn: 15_000 }

const mark = { cache_control: { type: 'ephemeral' } }

/** Lines of about `megabytes` in all: conversations of 50 turns, 20 of them at a time. */
export function* logLines(megabytes: number, size: BodySize = usualBodies): Generator<string> {
  const random = seeded(41)
  const system = prose(random, size.system)
  const most = megabytes * 1e6
  let written = 0
  let started = 0
  let time = Date.UTC(2026, 10, 1)
  let open: Generator<string>[] = []
  const startNext = (): Generator<string> => conversation(started++, system, size.turn, random, () => (time += 900))
  open = Array.from({ length: INTERLEAVED }, startNext)
  while (written < most) {
    for (let index = 0; index < open.length && written < most; index++) {
      const next = open[index]?.next()
      if (next === undefined || next.done === true) {
        open[index] = startNext()
        continue
      }
      written += next.value.length + 1
      yield next.value
    }
  }
}

function* conversation(
  number: number,
  system: string,
  characters: number,
  random: () => number,
  now: () => number,
): Generator<string, undefined> {
  const tools = Array.from({ length: 12 }, (_, index) => ({
    name: `tool_${index}`,
    description: `Does what ${index} says. `.repeat(12),
    input_schema: { type: 'object', properties: { path: { type: 'string' }, limit: { type: 'number' } } },
  }))
  const tellsTime = number % CLOCK_EVERY === 0
  const messages: { role: string; content: Record<string, unknown>[] }[] = []
  let read = 0
  for (let turn = 0; turn < CONVERSATION_TURNS; turn++) {
    const at = now()
    messages.push({
      role: 'user',
      content: [
        turn === 0
          ? { type: 'text', text: prose(random, characters) }
          : {
              type: 'tool_result',
              tool_use_id: `toolu_${number}_${turn - 1}`,
              content: prose(random, characters),
            },
      ],
    })
    const sent = messages.map((message, index) =>
      index < messages.length - 1
        ? message
        : { ...message, content: message.content.map((block) => ({ ...block, ...mark })) },
    )
    const place = tellsTime
      ? `The time is ${new Date(at).toISOString()}. Work in /srv/${number}.`
      : `Work in /srv/${number}.`
    const body = {
      model: 'claude-opus-5',
      max_tokens: 8192,
      tools,
      system: [
        { type: 'text', text: place },
        { type: 'text', text: system, ...mark },
      ],
      messages: sent,
    }
    const answer = [
      { type: 'text', text: prose(random, 120) },
      {
        type: 'tool_use',
        id: `toolu_${number}_${turn}`,
        name: `tool_${turn % 12}`,
        input: { path: `src/${turn}.ts`, limit: turn },
      },
    ]
    messages.push({ role: 'assistant', content: answer })
    const request = JSON.stringify(body)
    const total = Math.round(request.length / 4)
    const usage = {
      input_tokens: 3,
      cache_read_input_tokens: tellsTime ? 0 : read,
      cache_creation_input_tokens: tellsTime ? total : total - read,
      output_tokens: 60,
    }
    read = total
    const response = {
      id: `msg_${number}_${turn}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5',
      content: answer,
      usage,
    }
    yield `{"timestamp":"${new Date(at).toISOString()}","request":{"body":${request}},"response":${JSON.stringify(response)}}`
  }
  return undefined
}
