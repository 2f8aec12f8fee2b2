import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRepository } from './repository.ts'
import { runTool, toolDefinitions } from './tools.ts'
import { World } from './world.ts'

let folder: string
let world: World
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'indelible-test-'))
  world = new World(await createRepository(join(folder, 'made')))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('runTool', () => {
  it('reads a file', async () => {
    const { text, failed } = await runTool({ name: 'read_file', input: { path: 'src/price.js' } }, world)
    expect(failed).toBe(false)
    expect(text).toContain('export function priceOf')
  })

  it('tells the model of a file that is not there', async () => {
    expect(await runTool({ name: 'read_file', input: { path: 'src/none.js' } }, world)).toEqual({
      text: 'There is no such file.',
      failed: true,
    })
  })

  it('lists tracked files up to its limit', async () => {
    expect((await runTool({ name: 'list_files', input: { limit: 2 } }, world)).text).toBe('AGENTS.md\nCHANGELOG.md')
  })

  it('writes a note and commits it, and the log shows it', async () => {
    await runTool({ name: 'write_note', input: { path: 'REVIEW.md', line: 'a: fine' } }, world)
    await runTool({ name: 'write_note', input: { path: 'REVIEW.md', line: 'b: fine' } }, world)
    expect(await world.repository.read('REVIEW.md')).toBe('a: fine\nb: fine\n')
    await runTool({ name: 'commit_file', input: { path: 'REVIEW.md', subject: 'Review two files' } }, world)
    const { text } = await runTool({ name: 'read_log', input: { count: 2 } }, world)
    expect(text.split('\n').map((line) => line.slice(41))).toEqual([
      '2026-12-01 Agent: Review two files',
      '2026-11-27 Ada: Test carts, and write down the rules',
    ])
  })
})

describe('toolDefinitions', () => {
  it('are in order of name, so that the start of every request is the same', () => {
    const names = toolDefinitions.map(({ name }) => name)
    expect(names).toEqual(['commit_file', 'list_files', 'read_file', 'read_log', 'write_note'])
  })
})
