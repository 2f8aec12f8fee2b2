import { createSimulator } from '../../cache/index.ts'
import { describe, expect, it } from 'vitest'
import type { LoggedRequest } from '../../emulator/index.ts'
import { fileLog, toLine, toText } from './log.ts'

const prediction = createSimulator({ provider: 'anthropic' }).send({
  model: 'claude-opus-5',
  max_tokens: 1,
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'word '.repeat(1000), cache_control: { type: 'ephemeral' } }] },
  ],
})
const { total, write5m, uncached } = prediction.usage

const answered: LoggedRequest = {
  number: 7,
  endpoint: 'anthropic',
  method: 'POST',
  path: '/v1/messages',
  account: 'a',
  model: 'claude-opus-5',
  stream: true,
  startedAt: '2026-12-01T12:00:00.000Z',
  headers: {},
  body: { text: 'secret' },
  status: 200,
  prediction,
  error: null,
  answer: { text: 'secret' },
}
const refused: LoggedRequest = {
  ...answered,
  status: 400,
  prediction: null,
  error: { type: 'error', error: { type: 'invalid_request_error', message: 'max_tokens: \u001b[2JField\nrequired' } },
}

describe('toLine', () => {
  it('has counts and no texts', () => {
    expect(toLine(answered)).toEqual({
      schema: 'indelible.emulate/1',
      at: '2026-12-01T12:00:00.000Z',
      number: 7,
      endpoint: 'anthropic',
      method: 'POST',
      path: '/v1/messages',
      account: 'a',
      model: 'claude-opus-5',
      stream: true,
      status: 200,
      total,
      read: 0,
      written: write5m,
      uncached,
    })
    expect(write5m + uncached).toBe(total)
  })

  it('has no counts where no model was asked, which is not 0', () => {
    const line = toLine(refused)
    expect(line.status).toBe(400)
    expect(line).not.toHaveProperty('total')
    expect(line).not.toHaveProperty('read')
  })
})

describe('toText', () => {
  it('is one line', () => {
    const [all, written] = [total, write5m].map(
      (count) => `${Math.floor(count / 1000)},${String(count % 1000).padStart(3, '0')}`,
    )
    expect(toText(answered)).toBe(
      `2026-12-01T12:00:00.000Z anthropic claude-opus-5 200 ${all} tokens: 0 read, ${written} written, ${uncached} uncached`,
    )
  })

  it('says why a request was refused, and lets no control character through', () => {
    expect(toText(refused)).toBe('2026-12-01T12:00:00.000Z anthropic claude-opus-5 400 max_tokens: Field required')
  })

  it('shows a refusal as it is where it has no message', () => {
    expect(toText({ ...refused, error: { code: 3 } })).toContain('400 {"code":3}')
  })

  it('names the call where no model was asked', () => {
    const call = { ...answered, path: '/v1/messages/count_tokens', prediction: null }
    expect(toText(call)).toBe('2026-12-01T12:00:00.000Z anthropic claude-opus-5 200 POST /v1/messages/count_tokens')
    expect(toText({ ...call, model: '' })).toContain(' anthropic 200 POST ')
  })
})

describe('fileLog', () => {
  it('writes lines in their order, warns once when they cannot be written, and goes on', async () => {
    const messages: string[] = []
    const lines: string[] = []
    const output = { colors: false, write: () => {}, writeError: (text: string) => void messages.push(text) }
    let full = false
    const handle = {
      async appendFile(line: unknown): Promise<void> {
        if (full) throw new Error('ENOSPC: no space left on device, write')
        lines.push(line as string)
      },
      close: async () => {},
    }
    const log = fileLog('requests.jsonl', handle, output)
    log.write(answered)
    log.write({ ...answered, number: 8 })
    await log.close()
    full = true
    log.write({ ...answered, number: 9 })
    log.write({ ...answered, number: 10 })
    await log.close()
    full = false
    log.write({ ...answered, number: 11 })
    await log.close()
    expect(lines.map((line) => (JSON.parse(line) as { number: number }).number)).toEqual([7, 8, 11])
    expect(messages).toEqual([
      'indelible: The log requests.jsonl is not complete: ENOSPC: no space left on device, write. Requests are answered.\n',
    ])
  })
})
