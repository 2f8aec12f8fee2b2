import { describe, expect, it } from 'vitest'
import { combine } from '../context/index.ts'
import { memoryStore } from '../store/memory.ts'
import { createSessions } from './sessions.ts'

const store = memoryStore()
const context = combine()

describe('createSessions', () => {
  it.each([
    [undefined, 'needs options'],
    [{ context }, 'needs a `store`'],
    [{ store }, 'needs a `context`'],
    [{ store, context: 'main' }, 'needs a `context`'],
    [{ store, context, format: 'openai' }, '`format` must be a format'],
    [{ store, context, tools: [] }, '`tools` must be a function'],
    [{ store, context, onToolAdded: 'apend' }, "`onToolAdded` is \"apend\". Give 'epoch' or 'append' or 'hold'."],
    [{ store, context, onInstructionsChanged: 'never' }, "Give 'hold' or 'epoch'."],
  ])('refuses %j with a typed error', (options, message) => {
    expect(() => createSessions(options as never)).toThrow(
      expect.objectContaining({ code: 'option_invalid', message: expect.stringContaining(message) as string }),
    )
  })

  it('takes a function or a registry for the context', () => {
    expect(() => createSessions({ store, context: () => context, onToolAdded: 'hold' })).not.toThrow()
  })
})
