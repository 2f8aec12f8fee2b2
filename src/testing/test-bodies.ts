/** Bodies of Messages for tests: an agent with two tools and one system block. */

/** Follows what varies in the system prompt. */
export const rules: string = 'Be brief, be right, say what you did. '.repeat(30)

/** A body of Messages. */
export interface Body {
  readonly model: string
  readonly system: readonly object[]
  readonly tools: readonly { readonly name: string; readonly input_schema: object }[]
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

/** A body without messages, whose system prompt begins with `system`. */
export function body({ system = 'Today is Monday.' }: { readonly system?: string } = {}): Body {
  return {
    model: 'claude-opus-5',
    system: [{ type: 'text', text: `${system} ${rules}`, cache_control: { type: 'ephemeral' } }],
    tools: ['read_file', 'grep'].map((name) => ({ name, input_schema: { type: 'object', properties: {} } })),
    messages: [],
  }
}

/** The requests of a conversation, each with one question more; `system` is asked for each. */
export function conversation(turns: number, system?: (turn: number) => string, topic = 'files'): Body[] {
  const messages = Array.from({ length: turns }, (_, turn) => [
    { role: 'user', content: `Question ${turn} about ${topic} that somebody has.` },
    { role: 'assistant', content: `Answer ${turn} about ${topic}, in a sentence of some length.` },
  ]).flat()
  return Array.from({ length: turns }, (_, turn) => ({
    ...body(system === undefined ? {} : { system: system(turn) }),
    messages: messages.slice(0, 2 * turn + 1),
  }))
}
