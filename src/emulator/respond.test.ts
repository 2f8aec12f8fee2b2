import { describe, expect, it } from 'vitest'
import { createResponder } from './respond.ts'
import type { ReceivedRequest, Respond } from './types.ts'

const request = { body: {} } as ReceivedRequest

describe('what is answered', () => {
  it('is the next of a list each time, and an error behind its end', () => {
    const respond = createResponder([{ text: 'one' }, { text: 'two' }])
    expect([respond(request), respond(request)]).toEqual([{ text: 'one' }, { text: 'two' }])
    expect(() => respond(request)).toThrow('The script has 2 answers, and this is request 3 to need one.')
  })

  it.each<[string, unknown, RegExp]>([
    ['a string', 'Done.', /^respond is "Done\."; an answer is \{ text\?, toolCalls\?, thinking\? \}\.$/],
    ['an object of other keys', { txt: 'Done.' }, /^respond is an object with txt/],
    ['a list with one', [{ text: 'a' }, null], /^respond\[1\] is null/],
  ])('is refused at the start when it is %s', (_, respond, message) => {
    expect(() => createResponder(respond as Respond)).toThrow(message)
    expect(() => createResponder(respond as Respond)).toThrow(expect.objectContaining({ code: 'answer_invalid' }))
  })

  it('is refused when a function returns none', async () => {
    const respond = createResponder((() => 'Done.') as unknown as Respond)
    await expect(respond(request)).rejects.toThrow('What respond returned is "Done."')
  })
})
