import { arch, platform, release } from 'node:os'
import { resolve } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { initialize, reconcile, type Snapshot } from '../context/index.ts'
import { environment } from './environment.ts'

afterEach(() => vi.unstubAllEnvs())

/** The snapshot of another machine. */
function told(overrides: Record<string, string | null>): Snapshot {
  const here = {
    platform: platform(),
    release: release(),
    architecture: arch(),
    shell: 'bash',
    directory: resolve('/srv'),
  }
  return { 'indelible/environment': { value: { ...here, ...overrides } } }
}

describe('environment', () => {
  it('tells platform, release, architecture, shell and working directory', async () => {
    vi.stubEnv('SHELL', '/usr/bin/zsh')
    const { baseline, snapshot } = await initialize(environment())
    expect(baseline).toBe(
      [
        `The platform is "${platform()}".`,
        `The operating system release is "${release()}".`,
        `The processor architecture is "${arch()}".`,
        'The shell is "zsh".',
        `The working directory is ${JSON.stringify(process.cwd())}.`,
      ].join('\n'),
    )
    expect(Object.keys(snapshot)).toEqual(['indelible/environment'])
  })

  it.each([
    [{ SHELL: '/bin/fish', ComSpec: '' }, 'The shell is "fish".'],
    [{ SHELL: '', ComSpec: 'C:\\Windows\\system32\\cmd.exe' }, 'The shell is "cmd.exe".'],
    [{ SHELL: '/bin/bash', ComSpec: 'C:\\Windows\\system32\\cmd.exe' }, 'The shell is "bash".'],
    [{ SHELL: '/secret/place/', ComSpec: '' }, 'The shell is "place".'],
    [{ SHELL: '', ComSpec: '' }, 'The shell is not known.'],
    [{ SHELL: '/bin/a"b\n', ComSpec: '' }, String.raw`The shell is "a\"b\n".`],
  ])('names the shell of %j: %s', async (variables, expected) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
    const { baseline } = await initialize(environment())
    expect(baseline.split('\n')).toContain(expected)
  })

  it('reads no other variable', async () => {
    vi.stubEnv('SHELL', '/bin/bash')
    const read = new Set<string | symbol>()
    const actual = process.env
    process.env = new Proxy(actual, {
      get: (target, name) => {
        read.add(name)
        return Reflect.get(target, name) as unknown
      },
      ownKeys: (target) => {
        read.add('every name')
        return Reflect.ownKeys(target)
      },
    })
    try {
      await initialize(environment({ cwd: '/srv' }))
    } finally {
      process.env = actual
    }
    expect([...read]).toEqual(['SHELL'])
  })

  it('tells only what changed', async () => {
    vi.stubEnv('SHELL', '/bin/bash')
    const source = environment({ cwd: '/srv' })
    expect(await reconcile(source, told({}))).toMatchObject({ type: 'unchanged' })
    expect(await reconcile(source, told({ directory: '/home', shell: 'zsh' }))).toMatchObject({
      type: 'updated',
      text: `The shell is now "bash".\nThe working directory is now ${JSON.stringify(resolve('/srv'))}.`,
    })
    expect(await reconcile(source, told({ shell: null }))).toMatchObject({ text: 'The shell is now "bash".' })
  })
})
