import { describe, expect, it } from 'vitest'
import { explainUpdateTag } from '../update-tag.ts'
import { freezeFirstTools, freezeTools, type TurnHolder } from './index.ts'

type Transform = NonNullable<ReturnType<typeof freezeTools>['transformParams']>
type Params = Parameters<Transform>[0]['params']

const tool = (name: string) => ({ type: 'function' as const, name, inputSchema: {} })
const frozen = [tool('edit'), tool('read')]
const turn = { nonce: 'n1', tools: { definitions: frozen, callable: [], held: [] } }

async function namesOf(holder: TurnHolder | undefined, tools: readonly string[] | undefined, system = 'Be brief.') {
  const params: Params = {
    prompt: [{ role: 'system', content: system }],
    ...(tools && { tools: tools.map(tool) }),
  }
  const transformed = await freezeTools(holder).transformParams!({ type: 'generate', params, model: {} as never })
  return transformed.tools?.map(({ name }) => name)
}

describe('freezeTools', () => {
  const conversation = `\n\n${explainUpdateTag('n1')}`

  it('puts tools in order by their names, whatever the locale', async () => {
    expect(await namesOf(undefined, ['read', 'Zoom', 'edit'])).toEqual(['Zoom', 'edit', 'read'])
    expect(await namesOf(undefined, undefined)).toBeUndefined()
  })

  it('gives the calls of a turn its frozen tools, though all are gone by now', async () => {
    expect(await namesOf({ turn }, ['search'], conversation)).toEqual(['edit', 'read'])
    expect(await namesOf({ turn }, undefined, conversation)).toEqual(['edit', 'read'])
  })

  it('leaves other calls through the same model their own', async () => {
    expect(await namesOf({ turn }, ['b', 'a'])).toEqual(['a', 'b'])
    expect(await namesOf({ turn }, undefined)).toBeUndefined()
    expect(await namesOf({ turn: null }, ['b', 'a'], conversation)).toEqual(['a', 'b'])
    expect(await namesOf({ turn: { nonce: 'n1', tools: null } }, ['b', 'a'], conversation)).toEqual(['a', 'b'])
  })
})

describe('freezeFirstTools', () => {
  const send = async (middleware: ReturnType<typeof freezeFirstTools>, tools: Params['tools']) => {
    const params: Params = { prompt: [], ...(tools && { tools }) }
    return (await middleware.transformParams!({ type: 'stream', params, model: {} as never })).tools
  }

  it('sends the list of the first call in each later one, and tells of those that differ', async () => {
    const lists: string[] = []
    const middleware = freezeFirstTools({
      onChange: ({ frozen: sent, current }) => {
        lists.push(
          `${sent.map(({ name }) => String(name)).join()} for ${current.map(({ name }) => String(name)).join()}`,
        )
      },
    })
    expect(await send(middleware, undefined)).toBeUndefined()
    expect(await send(middleware, [tool('read'), tool('edit')])).toEqual(frozen)
    expect(await send(middleware, [{ inputSchema: {}, name: 'edit', type: 'function' }, tool('read')])).toEqual(frozen)
    expect(lists).toEqual([])
    expect(await send(middleware, [tool('search')])).toEqual(frozen)
    expect(lists).toEqual(['edit,read for search'])
  })
})
