/**
 * What follows from OpenAI's rules from GPT-5.6 on, each sent through the real SDK and read back from the usage that the
 * emulator reports.
 */
import OpenAI from 'openai'
import type { ResponseInput, ResponseInputItem, ResponseUsage } from 'openai/resources/responses/responses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { price } from '../src/cache/price/price.ts'
import { startEmulator, type Emulator } from '../src/emulator/index.ts'

const model = 'gpt-5.6-sol'
const explicit = { mode: 'explicit' } as const

let emulator: Emulator
let number = 0

beforeAll(async () => {
  emulator = await startEmulator({ strict: true, respond: { text: 'Noted.' } })
})

afterAll(async () => {
  await emulator.close()
})

/** Sends one request after the other as one account of its own, and gives what each read and wrote. */
async function play(
  inputs: readonly ResponseInput[],
  options: readonly ('implicit' | 'explicit')[] = [],
): Promise<readonly { read: number; written: number; total: number }[]> {
  const openai = new OpenAI({ apiKey: `key-${++number}`, baseURL: `${emulator.url}/v1`, maxRetries: 0 })
  const usages: ResponseUsage[] = []
  for (const [index, input] of inputs.entries()) {
    const mode = options[index] ?? 'implicit'
    const { usage } = await openai.responses.create({ model, input, store: false, prompt_cache_options: { mode } })
    if (usage === undefined) throw new Error('no usage')
    usages.push(usage)
  }
  return usages.map(({ input_tokens: total, input_tokens_details: details }) => ({
    read: details.cached_tokens,
    written: details.cache_write_tokens,
    total,
  }))
}

/** The input of one request in dollars, by the prices of a day on which the model's price stood. */
function dollars({ read, written, total }: { read: number; written: number; total: number }): number {
  const priced = price(
    { total, read, write30m: written, uncached: total - read - written, output: 0 },
    { model, at: '2026-11-15' },
  )
  if (priced.type !== 'priced') throw new Error('no price')
  return priced.amount
}

/** Some 1,500 tokens that no other text begins with. */
function long(name: string): string {
  return `${name} speaks of tides and of ropes. `.repeat(200)
}

function say(role: 'user' | 'developer' | 'assistant', text: string): ResponseInputItem {
  return { type: 'message', role, content: text }
}

/** With a breakpoint at its end. */
function marked(role: 'user' | 'developer', text: string): ResponseInputItem {
  return { type: 'message', role, content: [{ type: 'input_text', text, prompt_cache_breakpoint: explicit }] }
}

describe('from GPT-5.6 on', () => {
  const developer = say('developer', long('The handbook'))
  const question = say('user', long('The first question'))
  const answer = say('assistant', 'Noted.')

  it('a developer message in mid-conversation is no boundary, unless it is marked and stays so', async () => {
    const update = 'It is Tuesday now.'
    const next = say('user', 'What day is it?')
    const later = say('user', 'And tomorrow?')
    // Behind the last user message, the update ends what is written nowhere; only the message before it is found again.
    const [, behind, afterBehind] = await play([
      [developer, question],
      [developer, question, answer, say('developer', update)],
      [developer, question, answer, say('developer', update), answer, later],
    ])
    // In front of the next user message, it is part of what that message's end caches.
    const [, before, afterBefore] = await play([
      [developer, question],
      [developer, question, answer, say('developer', update), next],
      [developer, question, answer, say('developer', update), next, answer, later],
    ])
    const [, mark, afterMark] = await play([
      [developer, question],
      [developer, question, answer, marked('developer', update)],
      [developer, question, answer, marked('developer', update), answer, later],
    ])
    // The mark left out again on a later request: what it wrote is not found.
    const [, , unmarked] = await play([
      [developer, question],
      [developer, question, answer, marked('developer', update)],
      [developer, question, answer, say('developer', update), answer, later],
    ])
    expect(unmarked?.read).toBe(mark?.read)
    expect(behind?.read).toBeGreaterThan(1024)
    expect(afterBehind?.read).toBe(behind?.read)
    expect(afterBefore?.read).toBe((before?.read ?? 0) + (before?.written ?? 0))
    expect(afterBefore?.read).toBeGreaterThan(before?.read ?? 0)
    expect(afterMark?.read).toBe((mark?.read ?? 0) + (mark?.written ?? 0))
    expect(afterMark?.read).toBeGreaterThan(mark?.read ?? 0)
  })

  it('in explicit mode an old marker must stay', async () => {
    const modes = ['explicit', 'explicit'] as const
    const [first, stays] = await play(
      [
        [marked('developer', long('The handbook'))],
        [marked('developer', long('The handbook')), marked('user', 'Next')],
      ],
      modes,
    )
    const [, moved] = await play(
      [[marked('developer', long('The handbook'))], [say('developer', long('The handbook')), marked('user', 'Next')]],
      modes,
    )
    expect(first?.written).toBeGreaterThan(1024)
    expect(stays?.read).toBe(first?.written)
    expect(moved?.read).toBe(0)
    expect(moved?.written).toBeGreaterThan(first?.written ?? 0)
  })

  it('a message that grows loses the boundary at its former end, and a new message does not', async () => {
    const [first, grown] = await play([[question], [say('user', `${long('The first question')} And more.`)]])
    const [, appended] = await play([[question], [question, answer, say('user', 'And more.')]])
    expect(first?.written).toBeGreaterThan(1024)
    expect(grown?.read).toBe(0)
    expect(appended?.read).toBe(first?.written)
  })

  it('the change from implicit to explicit loses what was written, unless a marker stands at the same place', async () => {
    const modes = ['implicit', 'explicit'] as const
    const text = long('The first question')
    const [, elsewhere] = await play([[say('user', text)], [say('user', text), answer, marked('user', 'Next')]], modes)
    const [first, same] = await play(
      [[say('user', text)], [marked('user', text), answer, marked('user', 'Next')]],
      modes,
    )
    expect(first?.written).toBeGreaterThan(1024)
    expect(elsewhere?.read).toBe(0)
    expect(same?.read).toBe(first?.written)
  })

  it('a tail that is never the same makes caching dearer than none', async () => {
    const tails = ['It is 12:00.', 'It is 12:01.', 'It is 12:02.'].map((time) => [
      say('user', `${time} ${long('The first question')}`),
    ])
    const cached = await play(tails)
    const none = await play(tails, ['explicit', 'explicit', 'explicit'])
    const cost = (usages: typeof cached): number => usages.reduce((sum, usage) => sum + dollars(usage), 0)
    expect(cached.map(({ read }) => read)).toEqual([0, 0, 0])
    expect(none.map(({ read, written }) => read + written)).toEqual([0, 0, 0])
    // All but the few tokens behind the last message is written at 1.25 times the price.
    expect(cost(cached) / cost(none)).toBeCloseTo(1.25, 2)
    expect(cost(cached)).toBeGreaterThan(cost(none))
  })
})
