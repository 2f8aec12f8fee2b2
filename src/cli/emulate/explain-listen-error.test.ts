import { describe, expect, it } from 'vitest'
import { explainListenError } from './explain-listen-error.ts'

describe('explainListenError', () => {
  it.each([
    ['EADDRINUSE', 'Port 80 of 10.0.0.1 is in use. Give another with --port, or 0 for a free one.'],
    ['EACCES', 'Port 80 is not open to programs without privileges. Give one from 1024 on with --port.'],
    ['ENOTFOUND', '10.0.0.1 is no address of this machine. Give one that is with --host, or leave it out.'],
    ['EMFILE', undefined],
    [undefined, undefined],
  ])('says of %s what to do', (code, message) => {
    expect(explainListenError(code, '10.0.0.1', 80)).toBe(message)
  })
})
