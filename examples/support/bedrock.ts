/**
 * Bedrock in place of its HTTP: the emulator does not serve Converse, whose requests are signed. What the client would have
 * sent is checked as the API would, counted by a simulator, and answered by the same script.
 */
import type { BedrockRuntimeClientConfig } from '@aws-sdk/client-bedrock-runtime'
import { createSimulator } from 'indelible/cache'
import { checkConverse, type Answer } from 'indelible/emulator'
import { carelessly } from './careless.ts'
import type { Sent } from './check.ts'
import { answerTo } from './model.ts'
import { world } from './world.ts'

/** A client's way to Bedrock, and what went it. */
export interface Bedrock {
  readonly requestHandler: NonNullable<BedrockRuntimeClientConfig['requestHandler']>
  /** What arrived, oldest first. */
  readonly requests: () => readonly Sent[]
}

/** What an AWS client hands its handler, as far as it matters here. */
interface HttpRequest {
  /** As `/model/anthropic.claude-opus-5/converse`. */
  readonly path: string
  readonly body: string | Uint8Array
}
interface HttpOptions {
  readonly abortSignal?: AbortSignal
}

/** Nothing was sent yet. `onRequest` is called while a request waits for its answer. */
export function createBedrock(onRequest: () => void): Bedrock {
  const cache = createSimulator({ provider: 'bedrock', format: 'bedrock-converse' })
  const sent: Sent[] = []
  let calls = 0

  function toolUse({ name, input }: NonNullable<Answer['toolCalls']>[number]): object {
    return { toolUse: { toolUseId: `tooluse_${++calls}`, name, input } }
  }

  function converse(body: object, model: string): [status: number, body: object] {
    const refused = checkConverse(body)
    if (refused.length > 0) return [400, { message: refused.join(' ') }]
    const { usage } = cache.send(body, { model, startedAt: world.now() })
    const { text, toolCalls = [] } = answerTo(sent.length, body)
    const content = [...(text === undefined ? [] : [{ text }]), ...toolCalls.map(toolUse)]
    const answer = {
      output: { message: { role: 'assistant', content } },
      stopReason: toolCalls.length > 0 ? 'tool_use' : 'end_turn',
      usage: {
        inputTokens: usage.uncached,
        outputTokens: 20,
        totalTokens: usage.total + 20,
        cacheReadInputTokens: usage.read,
        cacheWriteInputTokens: usage.write5m,
      },
      metrics: { latencyMs: 1 },
    }
    return [200, answer]
  }

  async function handle({ path, body: bytes }: HttpRequest, { abortSignal }: HttpOptions = {}): Promise<object> {
    const text = carelessly(typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes))
    const body = JSON.parse(text) as object
    const model = decodeURIComponent(path.split('/')[2] ?? '')
    sent.push({ body, model, startedAt: world.now().toISOString() })
    const [statusCode, answer] = converse(body, model)
    onRequest()
    // Who gives up now has sent the request all the same, and what it wrote is in the cache.
    abortSignal?.throwIfAborted()
    const headers = { 'content-type': 'application/json', 'x-amzn-errortype': 'ValidationException' }
    return { response: { statusCode, headers, body: new TextEncoder().encode(JSON.stringify(answer)) } }
  }

  return { requestHandler: { handle }, requests: () => sent }
}
