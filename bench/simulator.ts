/** What playing a long conversation costs, against parsing its requests. */
import { createSimulator } from '../src/cache/simulator/create-simulator.ts'
import { loadTokenCounter } from '../src/cache/tokens/count-tokens.ts'
import { prose, seeded } from './fixtures.ts'
import type { Comparison } from './harness.ts'

const TURNS = 400

/** The bodies of one coding session: a tool call and its result each turn, the last block marked, as agents send them. */
function growingBodies(): readonly string[] {
  const random = seeded(23)
  const mark = { cache_control: { type: 'ephemeral' } }
  const system = [{ type: 'text', text: prose(random, 12_000), ...mark }]
  const tools = Array.from({ length: 12 }, (_, index) => ({
    name: `tool_${index}`,
    description: prose(random, 400),
    input_schema: { type: 'object', properties: { path: { type: 'string' }, limit: { type: 'number' } } },
  }))
  const messages: { role: string; content: Record<string, unknown>[] }[] = []
  return Array.from({ length: TURNS }, (_, index) => {
    messages.push({
      role: 'user',
      content: [
        index === 0
          ? { type: 'text', text: prose(random, 600) }
          : { type: 'tool_result', tool_use_id: `toolu_${index}`, content: prose(random, 1_200) },
      ],
    })
    const marked = messages.map((message, at) =>
      at === messages.length - 1
        ? { ...message, content: message.content.map((block) => ({ ...block, ...mark })) }
        : message,
    )
    const body = JSON.stringify({ model: 'claude-opus-5', max_tokens: 4096, system, tools, messages: marked })
    messages.push({
      role: 'assistant',
      content: [
        { type: 'text', text: prose(random, 160) },
        {
          type: 'tool_use',
          id: `toolu_${index + 1}`,
          name: 'tool_3',
          input: { path: prose(random, 40), limit: index },
        },
      ],
    })
    return body
  })
}

/** The simulator's figures. */
export const simulators: readonly Comparison[] = [
  {
    name: `simulator over ${TURNS} turns of a growing conversation, parsed beforehand`,
    against: 'JSON.parse of the bodies',
    aim: 0.5,
    calls: 5,
    async prepare() {
      const countTokens = await loadTokenCounter()
      const bodies = growingBodies()
      const parsed = bodies.map((body): unknown => JSON.parse(body))
      return {
        reference: () => bodies.map((body): unknown => JSON.parse(body)).length,
        subject: () => {
          const simulator = createSimulator({ provider: 'anthropic', countTokens })
          let read = 0
          for (const [turn, body] of parsed.entries()) {
            read += simulator.send(body, { startedAt: Date.UTC(2026, 10, 1) + turn * 20_000 }).usage.read
          }
          return read
        },
      }
    },
  },
]
