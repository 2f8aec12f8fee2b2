/** For tests: a request to an endpoint and a prediction, with what a test does not care about filled in. */
import type { PredictedUsage, Prediction } from '../cache/simulator/types.ts'
import type { EndpointRequest } from './types.ts'

export function testRequest(body: EndpointRequest['body'], over: Partial<EndpointRequest> = {}): EndpointRequest {
  const { model } = body
  return {
    id: 'req_abcdef0123456789',
    model: typeof model === 'string' ? model : 'gpt-5.6-sol',
    body,
    headers: {},
    at: new Date('2026-11-30T12:00:00Z'),
    account: 'account',
    ...over,
  }
}

export function testPrediction(usage: Partial<PredictedUsage> = {}): Prediction {
  const { total = 0, read = 0, write5m = 0, write30m = 0, write1h = 0 } = usage
  const uncached = usage.uncached ?? total - read - write5m - write30m - write1h
  return {
    request: 1,
    provider: 'openai',
    model: undefined,
    usage: { total, read, write5m, write30m, write1h, uncached },
    range: { least: read, most: read },
    hit: null,
    written: [],
    misses: [],
    common: { segments: 0, tokens: 0 },
    segments: 1,
    minimum: 1024,
    estimated: true,
  }
}
