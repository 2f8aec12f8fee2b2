/** A conversation with Claude as bodies of other APIs: the same rules, tools, calls and results, in their forms. */
import { blocksOf, type Block, type Body, type Message } from './coding-agent.ts'

/** A body of the Chat Completions API. */
export interface ChatBody {
  readonly model: string
  readonly tools: readonly object[]
  readonly messages: readonly Block[]
}

/** A body of the Responses API. */
export interface ResponsesBody {
  readonly model: string
  readonly store: boolean
  readonly instructions: string
  readonly tools: readonly object[]
  readonly input: readonly object[]
}

/** A body of Gemini's generateContent; the model is in the address. */
export interface GeminiBody {
  readonly systemInstruction: object
  readonly tools: readonly object[]
  readonly contents: readonly object[]
}

/** For Chat Completions. */
export function toChat(body: Body, model = 'gpt-5.4'): ChatBody {
  const system = { role: 'system', content: body.system.map(textOf).join('\n\n') }
  return { model, tools: body.tools.map(functionOf), messages: [system, ...body.messages.flatMap(toChatMessages)] }
}

function toChatMessages(message: Message): Block[] {
  const blocks = blocksOf(message)
  const text = blocks.filter(({ type }) => type === 'text').map(textOf)
  const calls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map((block) => ({
      id: block['id'],
      type: 'function',
      function: { name: block['name'], arguments: JSON.stringify(block['input']) },
    }))
  if (message.role === 'assistant') {
    return [{ role: 'assistant', content: text.join('\n'), ...(calls.length > 0 && { tool_calls: calls }) }]
  }
  const results = blocks
    .filter(({ type }) => type === 'tool_result')
    .map((block) => ({
      role: 'tool',
      tool_call_id: block['tool_use_id'],
      content: block['content'],
    }))
  return [...results, ...(text.length > 0 ? [{ role: 'user', content: text.join('\n') }] : [])]
}

function functionOf({ name, description, input_schema: parameters }: Body['tools'][number]): object {
  return { type: 'function', function: { name, description, parameters } }
}

/** For Responses, with the whole conversation in it. */
export function toResponses(body: Body, model = 'gpt-5.4'): ResponsesBody {
  return {
    model,
    store: false,
    instructions: body.system.map(textOf).join('\n\n'),
    tools: body.tools.map(({ name, description, input_schema: parameters }) => ({
      type: 'function',
      name,
      description,
      parameters,
      strict: false,
    })),
    input: body.messages.flatMap(toResponsesItems),
  }
}

/** The items of a message. */
export function toResponsesItems(message: Message): object[] {
  return blocksOf(message).map((block) => {
    switch (block['type']) {
      case 'tool_use':
        return {
          type: 'function_call',
          call_id: block['id'],
          name: block['name'],
          arguments: JSON.stringify(block['input']),
        }
      case 'tool_result':
        return { type: 'function_call_output', call_id: block['tool_use_id'], output: block['content'] }
      default: {
        const type = message.role === 'assistant' ? 'output_text' : 'input_text'
        return { type: 'message', role: message.role, content: [{ type, text: block['text'] }] }
      }
    }
  })
}

/** For Gemini. */
export function toGemini(body: Body): GeminiBody {
  return {
    systemInstruction: { parts: body.system.map((block) => ({ text: textOf(block) })) },
    tools: [
      {
        functionDeclarations: body.tools.map(({ name, description, input_schema: parameters }) => ({
          name,
          description,
          parameters,
        })),
      },
    ],
    contents: body.messages.map((message) => ({
      role: message.role === 'assistant' ? 'model' : 'user',
      parts: blocksOf(message).map((block) => {
        switch (block['type']) {
          case 'tool_use':
            return {
              functionCall: { name: block['name'], args: block['input'] },
              thoughtSignature: `sig${String(block['id']).slice(-12)}`,
            }
          case 'tool_result':
            return { functionResponse: { name: 'tool', response: { output: block['content'] } } }
          default:
            return { text: block['text'] }
        }
      }),
    })),
  }
}

function textOf(block: Block): string {
  return String(block['text'])
}
