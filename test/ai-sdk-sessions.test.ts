/**
 * The AI SDK's own loop over a session whose history it keeps, with the provider packages against the strict emulator: what
 * each step sends must begin with all that the last answered step sent, and be read from the cache as far as it can be.
 */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import {
  asSchema,
  generateText,
  stepCountIs,
  streamText,
  tool,
  ToolLoopAgent,
  wrapLanguageModel,
  type LanguageModel,
  type LanguageModelMiddleware,
  type ModelMessage,
  type ToolSet,
} from 'ai'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { layout } from '../src/cache/index.ts'
import { startEmulator, type Answer, type Emulator, type ReceivedRequest } from '../src/emulator/index.ts'
import { createSessions, memoryStore, type HostSession, type SessionsOptions, type TurnView } from '../src/index.ts'
import { value } from '../src/sources/index.ts'
import { aiSdkFormat, freezeTools, prepareStep, toolsOf, type AiSdkPrompt } from '../src/wire/ai-sdk/index.ts'
import type { LoweringWarning } from '../src/wire/warnings.ts'
import { aiSdkDialect } from './support/dialects/ai-sdk.ts'
import { countingIds } from './support/session.ts'
import { conversation, playConversation, type Target } from './support/wire-conversation.ts'

/** Long enough to be cached by every model here. */
const instructions = 'You keep the harbour. Say what you did, in few words, and no more than that. '.repeat(120)
const read = tool({
  description: 'Reads a page of the log.',
  inputSchema: z.object({ page: z.number() }),
  execute: ({ page }) => `Page ${page}: all boats are in.`,
})
const ring = tool({ description: 'Rings the bell.', inputSchema: z.object({}), execute: () => 'It rang.' })

// What a package leaves out of another's reasoning would fill the screen.
globalThis.AI_SDK_LOG_WARNINGS = false

let emulator: Emulator | undefined
afterEach(async () => emulator?.close())

/** Calls the tool twice for every question, then answers. */
function respond({ body }: ReceivedRequest): Answer {
  const said = JSON.stringify(body['messages'] ?? body['input'])
  const asked = said.match(/Question/g)?.length ?? 0
  const results = (said.match(/all boats are in/g) ?? []).length
  const thinking = 'Let me see.'
  if (results < asked * 2)
    return { thinking, text: 'Looking.', toolCalls: [{ name: 'read', input: { page: results + 1 } }] }
  return { thinking, text: `All in, ${asked}.` }
}

const providers = {
  'anthropic, with native updates': {
    model: () => createAnthropic({ baseURL: `${emulator!.url}/v1`, apiKey: 'key' })('claude-opus-4-8'),
    format: 'anthropic',
    native: true,
  },
  'anthropic, with tagged updates': {
    model: () => createAnthropic({ baseURL: `${emulator!.url}/v1`, apiKey: 'key' })('claude-sonnet-4-6'),
    format: 'anthropic',
    native: false,
  },
  'openai responses': {
    model: () => createOpenAI({ baseURL: `${emulator!.url}/v1`, apiKey: 'key' }).responses('gpt-5.6-sol'),
    format: 'openai-responses',
    native: true,
  },
  'openai chat': {
    model: () => createOpenAI({ baseURL: `${emulator!.url}/v1`, apiKey: 'key' }).chat('gpt-5.6-sol'),
    format: 'openai-chat',
    native: true,
  },
} as const

interface World {
  boats: number
  tools: ToolSet
}

function attach(world: World, options: Partial<SessionsOptions<ModelMessage>> = {}): HostSession<ModelMessage> {
  return createSessions<ModelMessage>({
    store: memoryStore(),
    format: aiSdkFormat,
    instructions,
    context: value('harbour/boats', () => world.boats, { label: 'The number of boats' }),
    createId: countingIds(),
    ...options,
  }).attach('harbour')
}

describe.each(Object.entries(providers))('a tool loop of the AI SDK through %s', (_, { model, format, native }) => {
  it('sends each step as an extension of the last answered one, and reads all of that', async () => {
    emulator = await startEmulator({ strict: true, respond })
    const world: World = { boats: 1, tools: { ring, read } }
    const session = attach(world)
    const warnings: LoweringWarning[] = []
    const history: ModelMessage[] = []
    for (let question = 1; question <= 3; question++) {
      history.push({ role: 'user', content: `Question ${question}` })
      const prepared = prepareStep(session, { onTurn: (_turn, found) => warnings.push(...found) })
      const result = await generateText({
        model: model(),
        tools: world.tools,
        messages: history,
        stopWhen: stepCountIs(5),
        prepareStep: async (step) => {
          // Something changes in the middle of each loop.
          world.boats++
          return prepared(step)
        },
      })
      expect(result.text).toBe(`All in, ${question}.`)
      history.push(...result.responseMessages)
    }
    const requests = emulator.requests()
    expect(requests).toHaveLength(9)
    let before: readonly string[] = []
    for (const [index, { body, prediction }] of requests.entries()) {
      const segments = layout(body, { format }).segments.map(({ role, type, content }) =>
        [role, type, content].join('\u0000'),
      )
      expect(segments.slice(0, before.length), `request ${index + 1}`).toEqual(before)
      if (index > 0) {
        const sent = requests[index - 1]!.prediction!.usage
        // The last tokens of a request are no place: those of the line about the tag on the first, or of its frame.
        expect(prediction!.usage.read, `request ${index + 1}`).toBeGreaterThanOrEqual(
          sent.read + sent.write5m + sent.write30m,
        )
        expect(prediction!.usage.read).toBeGreaterThan(1_000)
      }
      before = segments
    }
    const told = requests.map(({ body }) => JSON.stringify(body)).at(-1)!
    expect(told.includes('<system-reminder id=\\"id-00000001\\">\\nThe number')).toBe(!native)
    expect(warnings.some(({ type }) => type === 'updates-tagged')).toBe(!native)
  })
})

describe('the usage of steps', () => {
  it('is stored with their answers: of a step in the middle by the next one, of the last by the next call', async () => {
    emulator = await startEmulator({ strict: true, respond })
    const session = attach({ boats: 1, tools: { read } })
    const step = prepareStep(session)
    const messages: ModelMessage[] = []
    for (const content of ['Question 1', 'Question 2']) {
      messages.push({ role: 'user', content })
      const model = providers['openai responses'].model()
      const result = await generateText({
        model,
        messages,
        tools: { read },
        stopWhen: stepCountIs(5),
        prepareStep: step,
      })
      messages.push(...result.responseMessages)
      step.answered(result.finalStep.usage)
    }
    const stored: (number | undefined)[] = []
    for await (const event of session.events()) {
      if ('history' in event && event.history?.answered !== undefined) stored.push(event.history.answered.usage?.total)
    }
    const reported = emulator.requests().map(({ prediction }) => prediction?.usage.total)
    expect(stored).toEqual(reported.slice(0, -1))
    expect(stored).toHaveLength(5)
  })
})

describe('a call that is aborted', () => {
  it('is sent again as it was, and what changed meanwhile is told behind it', async () => {
    emulator = await startEmulator({
      strict: true,
      respond: () => ({ text: 'Well, that is a long story. '.repeat(40) }),
    })
    const world: World = { boats: 1, tools: {} }
    const session = attach(world)
    const messages: ModelMessage[] = [{ role: 'user', content: 'Question 1' }]
    const model = providers['openai responses'].model()
    const controller = new AbortController()
    const aborted = streamText({
      model,
      messages,
      prepareStep: prepareStep(session),
      abortSignal: controller.signal,
      onError: () => {},
    })
    for await (const _ of aborted.textStream) controller.abort()
    await generateText({ model, messages, prepareStep: prepareStep(session) })
    world.boats = 2
    await generateText({ model, messages, prepareStep: prepareStep(session) })
    const [first, second, third] = emulator.requests().map(({ body }) => (body as { input: unknown[] }).input)
    expect(JSON.stringify(second)).toBe(JSON.stringify(first))
    expect(JSON.stringify(third!.slice(-2))).toContain('The number of boats is now 2')
    expect(await session.verify({ history: messages })).toEqual({ ok: true, problems: [] })
  })
})

describe('freezeTools', () => {
  it('sends the tools in one order, whatever order they are given in', async () => {
    emulator = await startEmulator({ strict: true, respond: { text: 'Yes.' } })
    const model = wrapLanguageModel({
      model: providers['anthropic, with native updates'].model(),
      middleware: freezeTools(),
    })
    for (const tools of [
      { ring, read },
      { read, ring },
    ])
      await generateText({ model, prompt: 'Hello', tools })
    const [first, second] = emulator.requests().map(({ body }) => JSON.stringify((body as { tools: unknown }).tools))
    expect(first).toContain('"name":"read"')
    expect(second).toBe(first)
  })

  it('sends the tools that the epoch froze, and the model is told of those that are gone', async () => {
    emulator = await startEmulator({ strict: true, respond: { text: 'Yes.' } })
    const world: World = { boats: 1, tools: { ring, read } }
    const session = attach(world, { tools: () => toolsOf(world.tools, asSchema) })
    const step = prepareStep(session)
    const middleware: LanguageModelMiddleware = freezeTools(step)
    const model = wrapLanguageModel({ model: providers['openai responses'].model(), middleware })
    const messages: ModelMessage[] = [{ role: 'user', content: 'Hello' }]
    const ask = async (): Promise<void> => {
      const result = await generateText({ model, messages, tools: world.tools, prepareStep: step })
      messages.push(...result.responseMessages)
    }
    await ask()
    world.tools = { read }
    messages.push({ role: 'user', content: 'And now?' })
    await ask()
    const [first, second] = emulator.requests().map(({ body }) => body as { tools: unknown; input: unknown[] })
    expect(JSON.stringify(second!.tools)).toBe(JSON.stringify(first!.tools))
    expect(JSON.stringify(second!.input)).toContain('The tool \\"ring\\" is no longer available')
    expect(step.turn?.tools?.callable).toEqual(['read'])
  })
})

describe('an agent of the SDK', () => {
  it('takes its steps from a session', async () => {
    emulator = await startEmulator({ strict: true, respond })
    const world: World = { boats: 1, tools: { read } }
    const step = prepareStep(attach(world))
    const agent = new ToolLoopAgent({
      model: providers['anthropic, with native updates'].model(),
      tools: { read },
      prepareStep: step,
    })
    const { text } = await agent.generate({ prompt: 'Question 1' })
    expect(text).toBe('All in, 1.')
    expect(emulator.requests()).toHaveLength(3)
    expect(step.turn?.entries).toHaveLength(5)
  })
})

describe('a tool that is added', () => {
  it.each([
    ['anthropic, with native updates', 'tool_addition'],
    ['openai responses', 'additional_tools'],
  ] as const)('is appended through %s, behind the same list, and the SDK runs it', async (name, item) => {
    emulator = await startEmulator({
      strict: true,
      respond({ body }) {
        const said = JSON.stringify(body['messages'] ?? body['input'])
        const rings = said.includes(item) && !said.includes('It rang.')
        return rings ? { toolCalls: [{ name: 'ring', input: {} }] } : { text: 'Done.' }
      },
    })
    const world: World = { boats: 1, tools: { read } }
    const session = attach(world, { tools: () => toolsOf(world.tools, asSchema), onToolAdded: 'append' })
    const warnings: LoweringWarning[] = []
    const step = prepareStep(session, { onTurn: (_turn, found) => warnings.push(...found) })
    const model = wrapLanguageModel({ model: providers[name].model(), middleware: freezeTools(step) })
    const messages: ModelMessage[] = []
    const ask = async (content: string) => {
      messages.push({ role: 'user', content })
      const result = await generateText({
        model,
        messages,
        tools: world.tools,
        stopWhen: stepCountIs(3),
        prepareStep: step,
      })
      messages.push(...result.responseMessages)
    }
    await ask('Hello')
    world.tools = { read, ring }
    await ask('Ring the bell.')
    const requests = emulator.requests()
    expect(requests.map(({ body }) => JSON.stringify(body['tools']))).toEqual(
      Array.from({ length: 3 }, () => JSON.stringify(requests[0]!.body['tools'])),
    )
    for (const [index, { prediction }] of requests.entries()) {
      const sent = requests[index - 1]?.prediction?.usage
      if (sent) expect(prediction!.usage.read).toBeGreaterThanOrEqual(sent.read + sent.write5m + sent.write30m)
    }
    expect(JSON.stringify(messages)).toContain('It rang.')
    expect(warnings).toEqual([])
  })
})

describe('a random conversation', () => {
  const models: Readonly<Record<string, () => LanguageModel>> = {
    'anthropic/claude-opus-4-8': providers['anthropic, with native updates'].model,
    'anthropic/claude-sonnet-4-6': providers['anthropic, with tagged updates'].model,
    'openai/gpt-5.6-sol': providers['openai responses'].model,
  }

  it('is accepted in what the packages make of it, with tools and results and all', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, async (drawn) => {
        emulator = await startEmulator({ strict: true, respond: { text: 'Yes.' } })
        const sent: { readonly model: string; readonly turn: TurnView<ModelMessage>; readonly prompt: AiSdkPrompt }[] =
          []
        const targets = aiSdkDialect.targets
          .filter(({ model }) => Object.hasOwn(models, model))
          .map((target): Target<ModelMessage> => ({
            ...target,
            lower(turn) {
              const lowered = target.lower(turn)
              sent.push({ model: target.model, turn, prompt: lowered.body as AiSdkPrompt })
              return lowered
            },
          }))
        await playConversation({ ...aiSdkDialect, targets }, drawn)
        for (const { model, turn, prompt } of sent.slice(-60)) {
          const { instructions, messages, providerOptions } = prompt
          await generateText({
            model: wrapLanguageModel({ model: models[model]!() as never, middleware: freezeTools({ turn }) }),
            instructions,
            messages,
            providerOptions,
            allowSystemInMessages: true,
            maxRetries: 0,
          })
        }
        await emulator.close()
      }),
      { numRuns: 8 },
    )
  })
})
