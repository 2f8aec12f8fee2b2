import { describe, expect, it } from 'vitest'
import { readAll } from '../test-input.ts'
import { opencodeRecorder } from './opencode-recorder.ts'
import { vcrpy } from './vcrpy.ts'

const body = '{"model":"gpt-5","input":"hi"}'
const recording = JSON.stringify({
  version: 1,
  interactions: [
    {
      request: { method: 'POST', url: 'https://api.openai.com/v1/responses', headers: {}, body },
      response: { status: 200, headers: {}, body: '{"id":"resp_1","usage":{"input_tokens":1,"total_tokens":2}}' },
    },
    { request: {} },
  ],
})

describe('recordings of http-recorder', () => {
  it('are read with the bodies as they were sent', async () => {
    const { recognised, exchanges, unread } = await readAll(opencodeRecorder, recording)
    expect(recognised).toBe(true)
    expect((await readAll(vcrpy, recording)).recognised).toBe(false)
    expect(exchanges).toMatchObject([
      { requestText: body, provider: 'openai', ids: { response: 'resp_1' }, source: { line: 1 } },
    ])
    expect(unread).toMatchObject([{ kind: 'unknown-shape' }])
  })
})
