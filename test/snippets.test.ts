/** What the pages and the doc comments show is what happens: every `ts` fence is type-checked and run. */
import { describe, expect, it } from 'vitest'
import { checkSnippets } from '../scripts/snippets/check.ts'
import { collectSnippets } from '../scripts/snippets/collect.ts'
import { docCommentSnippets, markdownSnippets } from '../scripts/snippets/extract.ts'
import { runSnippet } from '../scripts/snippets/run.ts'

const snippets = collectSnippets()

describe('the snippets of this project', () => {
  it('type-check against the sources', () => {
    expect(checkSnippets(snippets)).toEqual([])
  })

  it.concurrent.each(snippets.filter(({ run }) => run))('print what $file:$line says', async (snippet) => {
    expect(await runSnippet(snippet)).toBe(snippet.expected)
  })
})

describe('the check itself', () => {
  const page = (...lines: string[]): string => lines.join('\n')

  it('reads fences, what they print, and where they stand', () => {
    const text = page(
      '# A page',
      '```ts',
      'console.log(1) // => 1',
      '```',
      '- in a list:',
      '  ```ts no-run',
      '  const a = 1',
      '  ```',
      '```ts',
      "console.log('a\\nb')",
      '```',
      '',
      '```text',
      'a',
      'b',
      '```',
      '````md',
      '```ts',
      'quoted',
      '```',
      '````',
    )
    expect(markdownSnippets('page.md', text)).toEqual([
      { file: 'page.md', line: 3, code: 'console.log(1) // => 1\n', run: true, expected: '1\n' },
      { file: 'page.md', line: 7, code: 'const a = 1\n', run: false, expected: '' },
      { file: 'page.md', line: 10, code: "console.log('a\\nb')\n", run: true, expected: 'a\nb\n' },
    ])
  })

  it('takes no text fence that belongs to something else', () => {
    const text = page('```ts', 'const a = 1', '```', 'Elsewhere:', '```text', 'a', '```')
    expect(markdownSnippets('page.md', text)).toMatchObject([{ expected: '' }])
  })

  it('reads doc comments of modules and members, and no other text', () => {
    const text = page(
      '/**',
      ' * A module.',
      ' *',
      ' * ```ts',
      ' * if (true) {',
      ' *   console.log(1) // => 1',
      ' * }',
      ' * ```',
      ' */',
      "import { a } from './a.ts'",
      "const text = '/** ```ts */'",
      'interface B {',
      '  /**',
      '   * ```ts',
      '   * const b = 2',
      '   * ```',
      '   */',
      '  b: number',
      '}',
    )
    expect(docCommentSnippets('a.ts', text)).toEqual([
      { file: 'a.ts', line: 5, code: 'if (true) {\n  console.log(1) // => 1\n}\n', run: true, expected: '1\n' },
      { file: 'a.ts', line: 15, code: 'const b = 2\n', run: true, expected: '' },
    ])
  })

  it.each([
    ['an open fence', page('text', '```ts', 'const a = 1'), 'page.md:2 opens a fence that is never closed'],
    ['an unknown word', page('```ts norun', '```'), 'page.md:2 has "ts norun" at its fence'],
    ['output told twice', page('```ts', '// => 1', '```', '```text', '1', '```'), 'page.md:2 tells its output twice'],
  ])('refuses %s', (_, text, message) => {
    expect(() => markdownSnippets('page.md', text)).toThrow(message)
  })

  it('sees type errors, wrong imports and files of other packages, each at its line', () => {
    const text = page(
      '```ts',
      "import { strictEqual } from 'node:assert'",
      "import { z } from 'zod'",
      'const wrong: string = z.number().parse(1)',
      '```',
      '```ts',
      "import * as nothing from 'indelible/nothing'",
      "import { nobody } from 'indelible'",
      '```',
    )
    expect(checkSnippets(markdownSnippets('page.md', text))).toEqual([
      "page.md:4 Type 'number' is not assignable to type 'string'.",
      expect.stringMatching(/^page\.md:7 Cannot find module 'indelible\/nothing'/),
      expect.stringMatching(/^page\.md:8 Module '"indelible"' has no exported member 'nobody'/),
    ])
  })

  it.each([
    ['other output', 'console.log(1 + 1) // => 3', '2\n'],
    ['output that is not told', 'console.log(1)', '1\n'],
    [
      'a throw',
      "console.log(1) // => 1\nthrow new Error('no')",
      /^1\n\n\(exit code 1\)\n.*page\.md\.2\.mts:3\n.*Error: no/s,
    ],
    ['an import that does not exist', "import 'indelible/nothing'", /'\.\/nothing' is not defined by "exports"/],
  ])('sees %s', async (_, code, printed) => {
    const [snippet] = markdownSnippets('page.md', page('```ts', ...code.split('\n'), '```'))
    if (snippet === undefined) throw new Error('no snippet')
    const result = await runSnippet(snippet)
    expect(result).toMatch(printed)
    expect(result).not.toBe(snippet.expected)
  })
})
