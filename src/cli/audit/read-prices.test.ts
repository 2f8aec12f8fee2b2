import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { price } from '../../cache/index.ts'
import { readPrices } from './read-prices.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'indelible-prices-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function file(content: string): Promise<string> {
  const path = join(folder, `${content.length}.json`)
  await writeFile(path, content)
  return path
}

const liteLlm = {
  'gpt-5.1': {
    litellm_provider: 'openai',
    mode: 'chat',
    input_cost_per_token: 1.25e-6,
    output_cost_per_token: 1e-5,
    cache_read_input_token_cost: 1.25e-7,
  },
}
const modelsDev = {
  openai: { id: 'openai', models: { 'gpt-5.1': { id: 'gpt-5.1', cost: { input: 2, output: 10, cache_read: 0.2 } } } },
}

describe('readPrices', () => {
  it.each([
    ['LiteLLM', liteLlm, 1.25],
    ['models.dev', modelsDev, 2],
  ])('reads the list of %s, beside the own prices', async (_, json, amount) => {
    const table = await readPrices(await file(JSON.stringify(json)))
    const usage = { total: 1e6, read: 0, uncached: 1e6, output: 0 }
    expect(price(usage, { model: 'gpt-5.1' }, { table })).toMatchObject({ type: 'priced', amount })
    expect(price(usage, { model: 'claude-opus-5' }, { table })).toMatchObject({ type: 'priced' })
  })

  it.each([
    ['{"a":1}', 'holds no prices that are known'],
    ['not json', 'cannot be read'],
  ])('says so when a file holds %s', async (content, message) => {
    await expect(readPrices(await file(content))).rejects.toThrow(message)
  })
})
