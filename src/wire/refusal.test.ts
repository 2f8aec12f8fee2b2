import Anthropic from '@anthropic-ai/sdk'
import { APICallError } from 'ai'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { refusal, refusalWords } from './refusal.ts'

const opus = { model: 'claude-opus-4-8' } as const

describe('refusal', () => {
  it.each([
    ["messages.3: role 'system' is not supported on this model", 'native-updates'],
    ["messages.0: use the top-level 'system' parameter for the initial system prompt", 'native-updates'],
    ['Failed to deserialize: unknown variant `system`, expected `user` or `assistant`', 'native-updates'],
    ['System message must be at the beginning.', 'native-updates'],
    ["Unsupported value: 'messages[4].role' does not support 'system' with this model.", 'native-updates'],
    ["Unsupported value: 'input[4].role' does not support 'developer' with this model.", 'native-updates'],
    ['System role not supported', 'native-updates'],
    ['Only user, assistant and tool roles are supported, got system.', 'native-updates'],
    ['invalid message role: system', 'native-updates'],
    ['unknown variant `developer`, expected one of `user`, `assistant`', 'native-updates'],
    ["'developer' is not one of ['system', 'assistant', 'user']", 'native-updates'],
    ["Unexpected role 'system' after role 'user'", 'native-updates'],
    ["This model does not support the 'developer' role.", 'native-updates'],
    ['messages.4.content.0: tool_addition is not supported on this model', 'native-tools'],
    ["Invalid value: 'additional_tools'. Supported values are: 'message'", 'native-tools'],
  ] as const)('recognises %j as of %s', (message, feature) => {
    expect(refusal({ status: 400, message }, opus)).toEqual({ ...opus, feature })
  })

  it.each([
    { status: 400, message: 'messages: at least one message is required' },
    { status: 400, message: 'max_tokens: must be greater than 0' },
    { status: 400, message: 'The IAM role for the system account is invalid' },
    { status: 400, message: "messages.3.content.1.tool_addition.tool: a tool named 'x' is already defined" },
    { status: 400, message: 'input[4].additional_tools.tools[0].name: must not be empty' },
    { status: 400, message: "messages.2: role 'system' must follow a 'user' message" },
    { status: 400, message: "messages.2: role 'system' must precede an 'assistant' message" },
    { status: 400, message: "Invalid value: 'foo'. Supported values are: 'message', 'additional_tools'" },
    { status: 429, message: "role 'system' is not supported on this model" },
    { status: 529, message: 'Overloaded' },
    new Error('socket hang up'),
    'text',
    null,
    undefined,
    42,
  ])('is not %j', (error) => {
    expect(refusal(error, opus)).toBeUndefined()
  })

  it('reads the errors of the SDKs, whole or wrapped', () => {
    const body = {
      type: 'error',
      error: { type: 'invalid_request_error', message: "role 'system' is not supported on this model" },
    }
    const claude = Anthropic.APIError.generate(400, body, undefined, new Headers())
    const gpt = OpenAI.APIError.generate(
      400,
      { error: { message: "Invalid value: 'additional_tools'." } },
      undefined,
      new Headers(),
    )
    const call = new APICallError({
      message: 'Bad Request',
      url: 'http://localhost',
      requestBodyValues: {},
      statusCode: 400,
      responseBody: JSON.stringify(body),
    })
    expect(refusal(claude, opus)?.feature).toBe('native-updates')
    expect(refusal(gpt, { model: 'gpt-5.6-sol' })?.feature).toBe('native-tools')
    expect(refusal(call, opus)?.feature).toBe('native-updates')
    expect(refusal(new Error('no answer', { cause: claude }), opus)?.feature).toBe('native-updates')
    expect(
      refusal(new Error('gone', { cause: Anthropic.APIError.generate(503, body, undefined, new Headers()) }), opus),
    ).toBeUndefined()
  })

  it('names the platform where the caller does', () => {
    const error = { status: 400, message: 'System message must be at the beginning.' }
    expect(refusal(error, { ...opus, platform: 'foundry' })).toEqual({
      ...opus,
      platform: 'foundry',
      feature: 'native-updates',
    })
  })

  it('takes the outermost status for the answer, and codes of applications for none', () => {
    const message = "Unexpected role 'system' after role 'user'"
    expect(refusal({ status: 400, error: { code: 3230, message } }, opus)?.feature).toBe('native-updates')
    expect(refusal({ status: 400, error: { code: 200, message } }, opus)?.feature).toBe('native-updates')
    expect(refusal({ status: 503, error: { code: 400, message } }, opus)).toBeUndefined()
  })

  it('survives an error whose fields throw', () => {
    const error = Object.defineProperty({ status: 400 }, 'message', {
      get: () => {
        throw new Error('gone')
      },
    })
    expect(refusal(error, opus)).toBeUndefined()
  })

  it('survives an error that wraps itself', () => {
    const error: { status: number; cause?: unknown } = { status: 400 }
    error.cause = error
    expect(refusal(error, opus)).toBeUndefined()
  })

  it('rests on rows that are dated and sourced', () => {
    for (const { since, source } of refusalWords) {
      expect(since).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(source).toMatch(/^https:\/\//)
    }
  })
})
