import { describe, expect, it } from 'vitest'
import { inputItems, resolveReferences, responseStore, type ResponseStore, type StoredResponse } from './store.ts'

function response(number: number, over: Partial<StoredResponse> = {}): StoredResponse {
  return {
    id: `resp_${number}`,
    account: 'account',
    stored: true,
    model: 'gpt-5.6-sol',
    request: { input: `question ${number}` },
    output: [{ type: 'message', id: `msg_${number}` }],
    response: {},
    reusable: 0,
    size: 10,
    ...over,
  }
}

function kept(store: ResponseStore): readonly number[] {
  return [1, 2, 3, 4].filter((number) => store.find('account', `resp_${number}`) !== undefined)
}

describe('the responses that are kept', () => {
  it('are seen by their own account alone', () => {
    const store = responseStore()
    store.save(response(1))
    expect(store.find('other', 'resp_1')).toBeUndefined()
    expect(store.item('other', 'msg_1')).toBeUndefined()
    expect(store.delete('other', 'resp_1')).toBe(false)
    expect(store.item('account', 'msg_1')).toEqual({ type: 'message', id: 'msg_1' })
  })

  it('can only be compared with when they were not to be stored', () => {
    const store = responseStore()
    store.save(response(1, { stored: false }))
    expect(store.find('account', 'resp_1')).toBeUndefined()
    expect(store.item('account', 'msg_1')).toBeUndefined()
    expect(store.compared('account', 'resp_1')).toBeDefined()
  })

  it('leave in the order in which they came, by number and by size', () => {
    const few = responseStore({ responses: 2, size: 1000 })
    const small = responseStore({ responses: 100, size: 25 })
    for (const number of [1, 2, 3]) {
      few.save(response(number))
      small.save(response(number))
    }
    expect(kept(few)).toEqual([2, 3])
    expect(kept(small)).toEqual([2, 3])
    expect(few.item('account', 'msg_1')).toBeUndefined()
  })

  it('keep the newest even when it is too large alone', () => {
    const store = responseStore({ responses: 100, size: 5 })
    store.save(response(1))
    expect(kept(store)).toEqual([1])
  })

  it('are counted once when one is saved again', () => {
    const store = responseStore({ responses: 100, size: 25 })
    store.save(response(1))
    for (let times = 0; times < 5; times++) store.save(response(2))
    expect(kept(store)).toEqual([1, 2])
  })
})

describe('the input of a request', () => {
  it('starts with what the responses before it were asked and answered', () => {
    const store = responseStore()
    store.save(response(1))
    store.save(response(2, { request: { previous_response_id: 'resp_1', input: [{ role: 'user', content: 'more' }] } }))
    expect(inputItems({ previous_response_id: 'resp_2', input: 'now' }, 'account', store)).toEqual([
      { role: 'user', content: 'question 1' },
      { type: 'message', id: 'msg_1' },
      { role: 'user', content: 'more' },
      { type: 'message', id: 'msg_2' },
      { role: 'user', content: 'now' },
    ])
  })

  it('has in place what it refers to', () => {
    const store = responseStore()
    store.save(response(1))
    const body = { input: [{ type: 'item_reference', id: 'msg_1' }] }
    expect(resolveReferences(body, 'account', store)).toEqual({ input: [{ type: 'message', id: 'msg_1' }] })
  })

  it('is the same body where it refers to nothing', () => {
    const body = { input: [{ role: 'user', content: 'a' }] }
    expect(resolveReferences(body, 'account', responseStore())).toBe(body)
  })
})
