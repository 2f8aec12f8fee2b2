/**
 * The arrows between the layers. The table below is the whole of it: a layer is a folder of `src`, and what is not named
 * in its row it may not import. Tests are exempt, since they may look at anything. `npm run check:lint` finds cycles.
 */
import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot, readImports, sourceFiles, type ModuleImport } from '../scripts/imports.ts'

interface Layer {
  /** Layers, or single files of one. A name behind `type` may only be imported with `import type`. */
  readonly imports: readonly string[]
  /** Modules from outside: packages, and `node:*` for everything that Node brings. */
  readonly modules?: readonly string[]
}

const layers: Record<string, Layer> = {
  // The root entry puts together what runs anywhere. That it does is seen in what is built, by package.test.ts.
  'index.ts': { imports: ['base', 'prompt', 'context', 'session', 'store/memory.ts', 'cache'] },
  base: { imports: [], modules: ['@noble/hashes'] },
  prompt: { imports: [] },
  context: { imports: ['base'], modules: ['type @standard-schema/spec'] },
  session: { imports: ['base', 'prompt', 'context'] },
  // The interface of a store and what its methods throw belong to the session.
  store: {
    imports: ['base', 'type session', 'session/store.ts', 'session/errors.ts', 'session/retention.ts'],
    modules: ['kysely', 'pg', 'node:*'],
  },
  sources: { imports: ['base', 'context'], modules: ['node:*'] },
  // The tokenizer is loaded when it is asked for.
  cache: { imports: ['base'], modules: ['gpt-tokenizer'] },
  wire: {
    imports: ['base', 'prompt', 'session', 'cache'],
    modules: [
      'type @anthropic-ai/sdk',
      'type openai',
      'type @google/genai',
      'type @aws-sdk/client-bedrock-runtime',
      'type ai',
    ],
  },
  report: { imports: ['base', 'context', 'session', 'cache'] },
  // Unpacks archives, and reads cassettes.
  audit: { imports: ['base', 'cache'], modules: ['fflate', 'yaml'] },
  emulator: { imports: ['base', 'cache'], modules: ['hono', '@hono/node-server', 'node:*'] },
  // Its messages show prompts, as literals; what it captures has the same secrets as what the emulator is sent.
  testing: {
    imports: ['base', 'session', 'cache', 'audit', 'emulator/headers.ts', 'sources/literal.ts'],
    modules: ['node:assert/strict'],
  },
  cli: {
    imports: ['base', 'prompt', 'context', 'session', 'store', 'sources', 'cache', 'wire', 'emulator', 'audit'],
    modules: [
      'commander',
      '@anthropic-ai/sdk',
      'openai',
      '@google/genai',
      'type @aws-sdk/client-bedrock-runtime',
      'ai',
      '@ai-sdk/anthropic',
      'node:*',
    ],
  },
}

/** The row that `path`, relative to `src`, belongs to. */
function layerOf(path: string): string | undefined {
  return Object.keys(layers).find((name) => within(path, name))
}

function within(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}/`)
}

/** Why the import is not allowed in the file at `path`, relative to `src`; null when it is. */
function violation(path: string, { specifier, typeOnly }: ModuleImport): string | null {
  const from = layerOf(path)
  const layer = from === undefined ? undefined : layers[from]
  if (layer === undefined) return `src/${path} belongs to no layer`
  if (specifier === null) return 'imports a computed name, which nobody can check'
  const permits = (allowed: readonly string[], matches: (name: string) => boolean): boolean =>
    allowed.some((name) => (name.startsWith('type ') ? typeOnly && matches(name.slice(5)) : matches(name)))

  if (!specifier.startsWith('.')) {
    const matches = (name: string): boolean => (name === 'node:*' ? isBuiltin(specifier) : within(specifier, name))
    return permits(layer.modules ?? [], matches) ? null : `${from} may not import ${specifier}`
  }
  const target = join(dirname(path), specifier)
  if (layerOf(target) === from || permits(layer.imports, (name) => within(target, name))) return null
  return `${from} may not import ${target}${typeOnly ? ', not even its types' : ''}`
}

const modules = sourceFiles('src').map((file) => ({
  file,
  path: relative('src', file),
  imports: readImports(file, readFileSync(resolve(projectRoot, file), 'utf8')),
}))
const shipped = modules.filter(({ path }) => !path.endsWith('.test.ts'))

describe('layers', () => {
  it.each(Object.keys(layers))('%s imports only what its row names', (name) => {
    const files = shipped.filter(({ path }) => layerOf(path) === name)
    const violations = files.flatMap(({ file, path, imports }) =>
      imports.map((found) => [`${file}:${found.line}`, violation(path, found)]).filter(([, why]) => why !== null),
    )
    expect(files, 'a row without files is out of date').not.toHaveLength(0)
    expect(violations).toEqual([])
  })

  it('have a row for every file of src', () => {
    expect(shipped.filter(({ path }) => layerOf(path) === undefined).map(({ file }) => file)).toEqual([])
  })

  it('name the file that they import, tests too, as Node finds it', () => {
    const missing = modules.flatMap(({ file, imports }) =>
      imports
        .filter(({ specifier }) => specifier?.startsWith('.'))
        .filter(({ specifier }) => !existsSync(resolve(projectRoot, dirname(file), specifier as string)))
        .map(({ specifier, line }) => `${file}:${line} ${specifier}`),
    )
    expect(missing).toEqual([])
  })
})

describe('the check itself', () => {
  it.each([
    ['session/session.ts', `import { combine } from '../context/index.ts'`, null],
    [
      'context/render.ts',
      `import type { Turn } from '../session/types.ts'`,
      'context may not import session/types.ts, not even its types',
    ],
    ['prompt/index.ts', `export * from '../base/json.ts'`, 'prompt may not import base/json.ts'],
    ['store/sqlite/open.ts', `import type { EventStore } from '../../session/types.ts'`, null],
    ['store/sqlite/open.ts', `import { fold } from '../../session/fold.ts'`, 'store may not import session/fold.ts'],
    [
      'store/sqlite/open.ts',
      `import { type Fold } from '../../session/fold.ts'`,
      'store may not import session/fold.ts',
    ],
    ['store/sqlite/open.ts', `import { StoreUnusableError } from '../../session/errors.ts'`, null],
    ['store/sqlite/open.ts', `const sqlite = await import('node:sqlite')`, null],
    ['session/clock.ts', `const { hrtime } = await import('process')`, 'session may not import process'],
    ['session/clock.ts', `process.getBuiltinModule?.('node:os')`, 'session may not import node:os'],
    ['session/clock.ts', `export type Clock = typeof import('node:timers')`, 'session may not import node:timers'],
    ['wire/anthropic/body.ts', `import type Anthropic from '@anthropic-ai/sdk'`, null],
    ['wire/anthropic/body.ts', `import Anthropic from '@anthropic-ai/sdk'`, 'wire may not import @anthropic-ai/sdk'],
    ['cli/main.ts', `await import(name)`, 'imports a computed name, which nobody can check'],
    ['misc/helpers.ts', `import { join } from 'node:path'`, 'src/misc/helpers.ts belongs to no layer'],
  ])('reads %s with %s', (path, code, expected) => {
    const imports = readImports(path, code)
    expect(imports).toHaveLength(1)
    expect(imports.map((found) => violation(path, found))).toEqual([expected])
  })
})
