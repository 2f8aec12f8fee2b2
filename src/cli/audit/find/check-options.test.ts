import { describe, expect, it } from 'vitest'
import { checkOptions } from './check-options.ts'

describe('options', () => {
  it('of both kinds of audit go with a path and without', () => {
    const given = ['json', 'all', 'provider', 'model', 'prices', 'prefill']
    expect(() => checkOptions([], given)).not.toThrow()
    expect(() => checkOptions(['a.jsonl'], given)).not.toThrow()
  })

  it('of an audit without a path are refused beside one', () => {
    expect(() => checkOptions([], ['since', 'by'])).not.toThrow()
    expect(() => checkOptions(['a.jsonl'], ['since'])).toThrow('--since is for an audit without a path')
  })

  it('that need whole requests are refused where no log is named', () => {
    expect(() => checkOptions(['-'], ['includeText'])).not.toThrow()
    expect(() => checkOptions([], ['includeText'])).toThrow('--include-text needs logs to be named')
  })
})
