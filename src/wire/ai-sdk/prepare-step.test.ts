import type { ModelMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { createSessions, memoryStore, type HostSession } from '../../index.ts'
import { value } from '../../sources/index.ts'
import { aiSdkFormat, prepareStep, type StepInput } from './index.ts'

const model = 'anthropic/claude-opus-5'
const user = (content: string): ModelMessage & { role: 'user' } => ({ role: 'user', content })
const call: ModelMessage = {
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} }],
}
const result: ModelMessage = {
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'read', output: { type: 'text', value: 'x' } }],
}

function attach(): HostSession<ModelMessage> {
  const context = value('test/mode', () => 'fast', { label: 'The mode' })
  return createSessions({ store: memoryStore(), format: aiSdkFormat, instructions: 'Be brief.', context }).attach('s')
}

/** What is said of a step's conversation, by role and, of the user's, by text. */
const told = (messages: readonly ModelMessage[]): unknown[] =>
  messages.map(({ role, content }) => (role === 'user' ? content : role))

describe('prepareStep', () => {
  it('takes the history from what was said, with steering in its place, and not from what was prepared', async () => {
    const step: StepInput = {
      model,
      messages: [user('prepared')],
      initialMessages: [user('One')],
      responseMessages: [call, result],
      steps: [{ response: { messages: [call, result] }, experimental_steeringMessages: [user('Two')] }],
      experimental_steeringMessages: [user('Three')],
    }
    const { messages, instructions, system } = await prepareStep(attach())(step)
    expect(told(messages)).toEqual(['One', 'Two', 'assistant', 'tool', 'Three'])
    expect(instructions).toHaveLength(3)
    expect(system).toBeUndefined()
  })

  it('puts the results of approved calls before the first step', async () => {
    const { messages } = await prepareStep(attach())({
      model,
      messages: [],
      initialMessages: [user('One'), call],
      responseMessages: [result],
      steps: [],
    })
    expect(told(messages)).toEqual(['One', 'assistant', 'tool'])
  })

  it('serves version 6, which gives the messages alone and reads `system`', async () => {
    const steps = [{ response: { messages: [call, result] } }]
    const { messages, instructions, system } = await prepareStep(attach())({
      model,
      messages: [user('One'), call, result],
      steps,
    })
    expect(told(messages)).toEqual(['One', 'assistant', 'tool'])
    expect(system).toHaveLength(3)
    expect(instructions).toBeUndefined()
  })

  it('keeps bytes and URLs of a message as they are', async () => {
    const content = [
      { type: 'file' as const, mediaType: 'image/png', data: Uint8Array.of(1, 2, 3) },
      { type: 'image' as const, image: new URL('https://example.com/a.png') },
    ]
    const message: ModelMessage = { role: 'user', content }
    const session = attach()
    const first = await prepareStep(session)({
      model,
      messages: [],
      initialMessages: [message],
      responseMessages: [],
      steps: [],
    })
    expect(first.messages[0]?.content).toEqual(content)
    const again = { role: 'user' as const, content: [{ ...content[0]!, data: Uint8Array.of(1, 2, 3) }, content[1]!] }
    const said: ModelMessage = { role: 'assistant', content: 'Nice.' }
    const second = await prepareStep(session)({
      model,
      messages: [],
      initialMessages: [again, said, user('More')],
      responseMessages: [],
      steps: [],
    })
    expect(second.messages).toHaveLength(3)
  })
})
