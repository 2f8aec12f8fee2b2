import { BedrockRuntimeClient, ConverseCommand, type ContentBlock, type Message } from '@aws-sdk/client-bedrock-runtime'
import { describe, expect, it } from 'vitest'
import { turnTold, type Told } from '../../../test/support/told.ts'
import { createSimulator } from '../../cache/index.ts'
import { checkConverse } from '../../emulator/bedrock/check-converse.ts'
import { toBedrockConverse, type BedrockOptions } from './index.ts'

const modelId = 'eu.anthropic.claude-sonnet-5-v1:0'
const baseline = 'The harbour office opens at seven and closes when the last boat is in. '.repeat(200)

const user = (...content: ContentBlock[]): Message => ({ role: 'user', content })
const answer = (...content: ContentBlock[]): Message => ({ role: 'assistant', content })

/** A conversation whose every answer calls thirty tools, more than a breakpoint looks back. */
function* requests(turns: number, options: BedrockOptions) {
  const told: Told<Message>[] = [user({ text: 'Read all' })]
  for (let turn = 0; turn < turns; turn++) {
    const { body } = toBedrockConverse(
      turnTold(told, { baseline }),
      { modelId, toolConfig: { tools: [{ toolSpec: { name: 'read', inputSchema: { json: {} } } }] } },
      options,
    )
    expect(checkConverse(body)).toEqual([])
    yield body
    const ids = Array.from({ length: 30 }, (_, index) => `call-${turn}-${index}`)
    told.push(answer(...ids.map((toolUseId) => ({ toolUse: { toolUseId, name: 'read', input: {} } }))))
    for (const toolUseId of ids)
      told.push(user({ toolResult: { toolUseId, content: [{ text: `Text of ${toolUseId}.` }] } }))
    told.push({ update: ['system'] })
  }
}

describe('the breakpoints of a Converse request', () => {
  it.each<BedrockOptions>([{}, { ttl: '1h' }, { ttl: { head: '1h', tail: '5m' } }])(
    'let every request read all that the one before it sent: %j',
    (options) => {
      const simulator = createSimulator({ provider: 'bedrock', model: modelId })
      let sent = 0
      for (const [turn, body] of [...requests(8, options)].entries()) {
        const { usage } = simulator.send(body, { startedAt: new Date(turn * 60_000) })
        expect(usage.read).toBe(sent)
        sent = usage.total - usage.uncached
        expect(sent).toBeGreaterThan(1_024)
      }
    },
  )
})

describe('a Converse request through the SDK', () => {
  it('is sent as it is, with bytes in base64', async () => {
    const picture: ContentBlock = { image: { format: 'png', source: { bytes: Uint8Array.of(1, 2, 3) } } }
    const { body } = toBedrockConverse(turnTold([user({ text: 'Look' }, picture)]), { modelId })
    const sent: unknown[] = []
    const client = new BedrockRuntimeClient({
      region: 'eu-west-1',
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
      maxAttempts: 1,
      requestHandler: {
        handle: (request: { body: Uint8Array }) => {
          sent.push(JSON.parse(new TextDecoder().decode(request.body)))
          throw new Error('sent')
        },
      } as never,
    })
    await expect(client.send(new ConverseCommand(body))).rejects.toThrow('sent')
    const { modelId: _model, ...rest } = body
    const seen: unknown = JSON.parse(
      JSON.stringify(rest, (_, value: unknown) => (value instanceof Uint8Array ? 'AQID' : value)),
    )
    expect(sent).toEqual([seen])
  })
})
