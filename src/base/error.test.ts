import { describe, expect, it, vi } from 'vitest'
import { IndelibleError } from './error.ts'
import type { IndelibleErrorCode } from './error.ts'

// Every code. Programs compare with them: to add one is a decision, to change one breaks others. The type makes it
// complete.
const pinned: Record<IndelibleErrorCode, true> = {
  source_invalid: true,
  source_duplicate: true,
  renderer_failed: true,
  initialization_blocked: true,
  session_mode: true,
  session_exists: true,
  session_deleted: true,
  id_invalid: true,
  message_invalid: true,
  input_conflict: true,
  tool_invalid: true,
  tool_results_pending: true,
  tool_result_unexpected: true,
  turn_superseded: true,
  compaction_invalid: true,
  history_rewritten: true,
  event_unreadable: true,
  store_unusable: true,
  request_unreadable: true,
  request_invalid: true,
  answer_invalid: true,
  prices_unreadable: true,
  log_unreadable: true,
  option_invalid: true,
  not_supported: true,
}
const codes = Object.keys(pinned) as IndelibleErrorCode[]

class Failure extends IndelibleError {}

describe('IndelibleError', () => {
  it('carries its code, message and cause, and the name of its class', () => {
    const cause = new Error('disk full')
    const error = new Failure('store_unusable', 'The file cannot be written', { cause })
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      code: 'store_unusable',
      message: 'The file cannot be written',
      cause,
      name: 'Failure',
    })
  })

  it('has no cause unless it was given one', () => {
    expect('cause' in new IndelibleError('not_supported', 'No')).toBe(false)
  })

  it('is recognised by each code alone', () => {
    for (const code of codes) {
      const error = new IndelibleError(code, 'No')
      expect(codes.filter((other) => IndelibleError.isInstance(error, other))).toEqual([code])
    }
  })

  it('is recognised when it comes from another copy of the package', async () => {
    vi.resetModules()
    const copy = await import('./error.ts')
    const error = new copy.IndelibleError('not_supported', 'No')
    expect(error).not.toBeInstanceOf(IndelibleError)
    expect(IndelibleError.isInstance(error)).toBe(true)
    expect(IndelibleError.isInstance(error, 'not_supported')).toBe(true)
  })

  it.each([undefined, null, 'not_supported', new Error('No'), { code: 'not_supported' }])('is not %o', (value) => {
    expect(IndelibleError.isInstance(value)).toBe(false)
  })
})
