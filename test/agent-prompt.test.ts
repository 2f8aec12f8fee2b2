/**
 * The instructions for coding agents name nothing that is not there: commands and their options, entries and what they
 * export, fields of the report. Its program is checked and run with the other snippets.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { libraryEntries } from '../scripts/entries.ts'
import { projectRoot } from '../scripts/imports.ts'
import { indelible } from './support/run-command.ts'

const page = readFileSync(join(projectRoot, 'docs', 'agent-prompt.md'), 'utf8')

/** Every command line of ours, in fences and in running text, without what stands behind `--`. */
const commandLines = [...page.matchAll(/\bnpx indelible ([^`\n]+)/g)].map(([, line = '']) =>
  line.replace(/ -- .*$/, '').split(' '),
)

/** Each word in code style that is a name and nothing else, once. */
const names = [
  ...new Set(
    [...page.replaceAll(/^```.*?^```/gms, '').matchAll(/`([A-Za-z][A-Za-z-]*)`/g)].map(([, name = '']) => name),
  ),
]

/** Names of others: what SDKs call their functions. */
const foreign = ['generateContent', 'ConverseCommand', 'generateText', 'streamText']

const schema = readFileSync(join(projectRoot, 'schema', 'indelible.audit-1.schema.json'), 'utf8')

let exported: Set<string>
beforeAll(async () => {
  const modules = await Promise.all(
    libraryEntries.map(({ source }) => import(join(projectRoot, source)) as Promise<object>),
  )
  exported = new Set(modules.flatMap((found) => Object.keys(found)))
})

describe('the instructions for coding agents', () => {
  it('have all five steps, and stop in the first where the idea does not fit', () => {
    expect([...page.matchAll(/^## (\d)\. /gm)].map(([, step]) => step)).toEqual(['1', '2', '3', '4', '5'])
    expect(page.indexOf('**Stop, tell the user which of these holds')).toBeLessThan(page.indexOf('## 2. '))
  })

  it('run every command that they are about', () => {
    expect(new Set(commandLines.map(([command]) => command))).toEqual(new Set(['skill', 'record', 'audit']))
    const options = new Set(commandLines.flat().filter((word) => word.startsWith('--')))
    for (const option of ['--emulate', '--source', '--compare', '--min-hit-rate']) expect(options).toContain(option)
  })

  it.each(commandLines.map((words) => [words.join(' '), words] as const))('can run: indelible %s', async (_, words) => {
    const [command = '', ...rest] = words
    const { code, out } = await indelible([command, '--help'])
    expect(code).toBe(0)
    expect(out).toContain(`Usage: indelible ${command} `)
    for (const option of rest.filter((word) => word.startsWith('--'))) expect(out).toContain(` ${option} `)
  })

  it('name only entries that the package has', () => {
    const entries = libraryEntries.map(({ specifier }) => specifier)
    const named = [...page.matchAll(/\bindelible(?:\/[a-z-]+)+/g)].map(([specifier]) => specifier)
    expect(named.length).toBeGreaterThan(4)
    expect(named.filter((specifier) => !entries.includes(specifier))).toEqual([])
  })

  it('name only what is exported, reported, a command, or of an SDK', () => {
    const commands = commandLines.map(([command]) => command)
    const unknown = names.filter(
      (name) =>
        !exported.has(name) && !schema.includes(`"${name}"`) && !commands.includes(name) && !foreign.includes(name),
    )
    expect(names.length).toBeGreaterThan(10)
    expect(unknown).toEqual([])
  })
})
