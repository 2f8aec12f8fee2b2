import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TurnRecord, WayTurn } from './conversation.ts'
import { writeLogs } from './logs.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'indelible-logs-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const bill = { read: 0, write5m: 0, write30m: 0, write1h: 0, uncached: 1, output: 1, total: 1, usd: 0 }
const sent = (name: string): WayTurn => ({ body: { name }, response: { id: name }, bill, update: null })
const records: TurnRecord[] = [
  {
    turn: 1,
    at: new Date(Date.UTC(2026, 11, 1)),
    user: null,
    note: null,
    truth: {},
    ways: { anew: sent('a'), split: sent('s'), epochs: sent('e') },
  },
]

describe('writeLogs', () => {
  it('writes a file per way, each with an account of its own', async () => {
    const files = await writeLogs(join(folder, 'new', 'logs'), records, { model: 'm', simulator: 'anthropic' })
    expect(files.map((file) => file.slice(folder.length))).toEqual([
      '/new/logs/anew.jsonl',
      '/new/logs/split.jsonl',
      '/new/logs/epochs.jsonl',
    ])
    expect(JSON.parse(await readFile(files[1]!, 'utf8'))).toEqual({
      started_at: '2026-12-01T00:00:00.000Z',
      session_id: 'split',
      provider: 'anthropic',
      model: 'm',
      request: { headers: { 'x-api-key': 'demo-split' }, body: { name: 's' } },
      response: { id: 's' },
    })
  })

  it('says where it could not write', async () => {
    const file = join(folder, 'new', 'logs', 'anew.jsonl')
    await expect(writeLogs(file, records, { model: 'm', simulator: 'anthropic' })).rejects.toThrow(
      `The logs cannot be written to ${file}: `,
    )
  })
})
