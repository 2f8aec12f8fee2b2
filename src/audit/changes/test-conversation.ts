/** A conversation for tests, as an agent has it: the model thinks, looks at a file, and is told what is in it. */

/** A tool with a schema. */
export function toolNamed(name: string, over: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    name,
    description: `Does ${name} to files in the project, carefully.`,
    input_schema: { type: 'object', properties: { path: { type: 'string' }, depth: { type: 'number' } } },
    ...over,
  }
}

/** A breakpoint. */
export const mark = { cache_control: { type: 'ephemeral' } } as const

/** A message as a body has it. */
export interface TestMessage {
  readonly role: string
  readonly content: string | readonly Readonly<Record<string, unknown>>[]
}

/** What is different from a plain conversation. */
export interface Plan {
  /** Replaces top-level members of the body of turn `turn`. */
  readonly body?: (turn: number) => Readonly<Record<string, unknown>>
  /** Replaces message `index` in turn `turn`; null leaves it out. */
  readonly message?: (message: TestMessage, index: number, turn: number) => TestMessage | null
}

/** The bodies of `count` turns, of which turn n has n answers in it. The last message of turn n has index 2n. */
export function conversation(count: number, { body, message = (one) => one }: Plan = {}): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, turn) => {
    const messages: TestMessage[] = [{ role: 'user', content: 'Fix the bug in the parser, please, and tell me how.' }]
    for (let step = 0; step < turn; step++) messages.push(...exchange(step))
    return {
      model: 'claude-sonnet-5',
      max_tokens: 100,
      tools: [toolNamed('bash'), toolNamed('read')],
      system: [{ type: 'text', text: 'You are a coding agent. Follow the rules of the house.', ...mark }],
      messages: messages.flatMap((one, index) => message(one, index, turn) ?? []),
      ...body?.(turn),
    }
  })
}

function exchange(step: number): TestMessage[] {
  return [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: `I think of ${step} and of what it means.`, signature: `sig${step}sig` },
        { type: 'text', text: `Step ${step}: I look at file number ${step}.` },
        { type: 'tool_use', id: `toolu_${step}`, name: 'read', input: { path: `src/f${step}.ts`, depth: step } },
      ],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `toolu_${step}`, content: `line one of ${step}\n`.repeat(30) }],
    },
  ]
}

/** The blocks of a message, a string as its one text. */
export function blocksOf({ content }: TestMessage): readonly Readonly<Record<string, unknown>>[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}
