import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../../package.json' with { type: 'json' }
import { projectRoot } from '../../../scripts/imports.ts'
import { indelible } from '../../../test/support/run-command.ts'

const page = readFileSync(join(projectRoot, 'docs', 'agent-prompt.md'), 'utf8')

let temporary: string
let folder: string
beforeAll(() => {
  mkdirSync(join(projectRoot, '.tmp'), { recursive: true })
  temporary = mkdtempSync(join(projectRoot, '.tmp', 'skill-'))
})
beforeEach(() => {
  folder = mkdtempSync(join(temporary, 'skills-'))
})
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

const installed = (): string => readFileSync(join(folder, 'prompt-cache', 'SKILL.md'), 'utf8')

describe('indelible skill', () => {
  it('prints the page of the documentation, which is in the package', async () => {
    expect(await indelible(['skill'])).toEqual({ code: 0, out: page, err: '' })
    expect(packageJson.files).toContain('docs/agent-prompt.md')
  })

  it('installs it under its name, with what agents choose it by in front', async () => {
    const { code, out } = await indelible(['skill', '--out', folder])
    expect([code, out]).toEqual([0, `Wrote ${join(folder, 'prompt-cache', 'SKILL.md')}.\n`])
    const [, head = '', text] = /^---\n(.*?)---\n\n(.*)$/s.exec(installed()) ?? []
    expect(text).toBe(page)
    const fields = parse(head) as Record<string, string>
    expect(Object.keys(fields)).toEqual(['name', 'description'])
    // The name of a skill is that of its folder, and descriptions have at most 1,024 characters.
    expect(fields['name']).toBe('prompt-cache')
    expect(fields['description']).toMatch(/^.{100,1024}$/)
  })

  it('makes the folder where it is missing', async () => {
    folder = join(folder, '.agents', 'skills')
    expect((await indelible(['skill', '--out', folder])).code).toBe(0)
    expect(installed()).toContain(page)
  })

  it('writes over nothing unless it is told to', async () => {
    await indelible(['skill', '--out', folder])
    const file = join(folder, 'prompt-cache', 'SKILL.md')
    writeFileSync(file, 'mine')
    const refused = await indelible(['skill', '--out', folder])
    expect(refused).toEqual({ code: 2, out: '', err: expect.stringContaining('is there already. Give --force') })
    expect(installed()).toBe('mine')
    expect((await indelible(['skill', '--out', folder, '--force'])).code).toBe(0)
    expect(installed()).toContain(page)
  })

  it.each([
    ['a file in place of the folder', ['skill', '--out', join(import.meta.dirname, 'command.ts')], /cannot be written/],
    ['force without a folder', ['skill', '--force'], /give --out/],
    ['an argument that it does not take', ['skill', 'folder'], /too many arguments/],
  ])('refuses %s', async (_, args, message) => {
    const { code, out, err } = await indelible(args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(message)
  })
})
