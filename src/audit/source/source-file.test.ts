/** What the code says is looked at here; that the compiler takes it, and that it runs, in test/audit-source.test.ts. */
import fc from 'fast-check'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { culpritOf, hostile, kinds, reportOf } from '../../../test/support/source-report.ts'
import { masked, report, shown } from '../../cli/audit/print/test-report.ts'
import type { AuditCulprit } from '../report/types.ts'
import { sourceFor } from './source-file.ts'

describe('the code for a report', () => {
  it('has each culprit in one part, which names where it stands', () => {
    const culprits = kinds.map((kind) => culpritOf(kind, { path: `place of ${kind}` }))
    const { code, snippets } = sourceFor(reportOf(culprits))
    expect(snippets.flatMap((snippet) => snippet.culprits).sort()).toEqual(culprits.map(({ id }) => id).sort())
    for (const { id, path } of culprits) {
      const snippet = snippets.find((one) => one.culprits.includes(id))
      expect(snippet?.code).toContain(`{ id: '${id}', path: '${path}', character: 214, before: 'one', after: 'two' }`)
      expect(code.split(`path: '${path}'`)).toHaveLength(2)
    }
  })

  it('says first what to do without Indelible', () => {
    for (const kind of kinds) {
      const [snippet] = sourceFor(report({ culprits: [culpritOf(kind)] })).snippets
      expect(snippet?.code.split('\n\n').at(-1)).toMatch(/^\/\/ 1\. [a-z-]+\n\/\/ Without Indelible: [A-Z]/)
    }
  })

  it('has one source for all places that it tells of, and one to be written for each place that none does', () => {
    const culprits = ['a', 'b'].flatMap((id) => [culpritOf('git', { id: `git ${id}` }), culpritOf('unknown', { id })])
    const { code, snippets } = sourceFor(reportOf(culprits))
    expect(snippets.map(({ name }) => name).slice(0, 3)).toEqual(['git1', 'unknown2', 'unknown3'])
    expect(code).toContain('export const context: Context = combine(git1, unknown2, unknown3)')
  })

  it('gives the steps of the plan by the names of their parts, each once', () => {
    const culprits = (['git', 'tool-call-ids', 'argument-order'] as const).map((kind) => culpritOf(kind))
    const { code } = sourceFor(reportOf(culprits))
    expect(code).toContain('// The plan, best first: git1 with answers2, lifetime3, breakpoints4, keepAlive5.\n')
    expect(code).toContain('{ ...lifetime3 }')
  })

  it('shows a masked text by its shape and length, and the text around it only where that is shown', () => {
    const [before, after] = [masked(4), masked(5)]
    const anchor = { before: shown('Branch: '), after: shown('\n') }
    const { code } = sourceFor(reportOf([culpritOf('unknown', { values: [before, after], anchor: { before, after } })]))
    expect(code).toContain(`before: { masked: 'xxxx', length: 4 }, after: { masked: 'xxxxx', length: 5 } }`)
    expect(code).toContain('It was xxxx [masked, 4 UTF-16 units], then xxxxx [masked, 5 UTF-16 units].')
    expect(sourceFor(reportOf([culpritOf('unknown', { anchor })])).code).toContain(`between: ['Branch: ', '\\n'] }`)
  })

  it('says what is to be loaded, with path, old value and new value', () => {
    const { code } = sourceFor(reportOf([culpritOf('unknown', { path: 'system[1]' })]))
    const message = `TODO: load what app/value-1 tells, which stood at system[1]. It was "one", then "two".`
    expect(code).toContain(`throw new Error('${message}')`)
  })

  it('takes adapter, platform, fields and model from the requests on which most was spent', () => {
    const codeFor = (provider: string, path = 'messages[0]'): string =>
      sourceFor(
        reportOf([culpritOf('breakpoint-wasted', { path })], {
          provider,
          model: 'm',
          culprits: [culpritOf('git', { path })],
        }),
      ).code
    expect(codeFor('anthropic')).toContain("toAnthropicMessages(turn, { model: 'm', max_tokens: 4096 }, {")
    expect(codeFor('bedrock')).toMatch(/cachePoint[^]*toBedrockConverse\(turn, { modelId: 'm' }, {/)
    expect(codeFor('openai')).toMatch(/prompt_cache_breakpoint[^]*toOpenAIChat\(turn, { model: 'm' }\)/)
    expect(codeFor('deepseek')).toContain("toOpenAIChat(turn, { model: 'm' }, { platform: 'deepseek' })")
    expect(codeFor('openai', 'input[2]')).toContain("toOpenAIResponses(turn, { model: 'm', store: false })")
    expect(codeFor('gemini')).toContain("toGoogleContents(turn, { model: 'm' })")
    expect(sourceFor(reportOf([culpritOf('git')], { model: null })).code).toContain("'TODO: the id of the model'")
  })

  it('is a module with a comment where there is nothing to change', () => {
    const { code, snippets } = sourceFor(report())
    expect(snippets).toEqual([])
    expect(code).toMatch(/^\/\/ [^\n]+\nexport \{\}\n$/)
  })
})

describe('texts of a log in the code', () => {
  it('are string literals, and change nothing else of it', () => {
    const [places, fields] = [kinds.length, 6]
    const size = places * fields
    const plain = literalsOf(
      sourceFor(
        hostileReport(
          Array.from({ length: size }, () => 'x'),
          'x',
        ),
      ).code,
    )
    fc.assert(
      fc.property(fc.array(hostile, { minLength: size, maxLength: size }), hostile, (texts, model) => {
        const report = hostileReport(texts, model)
        const { code } = sourceFor(report)
        expect(ts.transpileModule(code, { reportDiagnostics: true }).diagnostics).toEqual([])
        const { rest, literals } = literalsOf(code)
        expect(rest).toBe(plain.rest)
        const found = new Set(literals)
        for (const { id, path, values, anchor } of report.culprits) {
          const shownTexts = [...values, anchor?.before, anchor?.after].map((text) => text?.text)
          for (const text of [id, path, ...shownTexts]) expect(found).toContain(text)
        }
        expect(found).toContain(model)
      }),
      { numRuns: 30 },
    )
  })
})

/** A report with every kind, `texts` in all places that a log fills. */
function hostileReport(texts: readonly string[], model: string): ReturnType<typeof reportOf> {
  const next = texts[Symbol.iterator]()
  const text = (): string => next.next().value ?? ''
  const culprits = kinds.map((kind, index): AuditCulprit => {
    const values = [shown(text()), shown(text())]
    const anchor = { before: shown(text()), after: shown(text()) }
    return culpritOf(kind, { id: `${text()}${index}`, path: text(), values, anchor })
  })
  return reportOf(culprits, { model })
}

/** The code without what its string literals hold, and what these evaluate to. */
function literalsOf(code: string): { readonly rest: string; readonly literals: readonly string[] } {
  const literals: string[] = []
  let [rest, end] = ['', 0]
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node)) {
      literals.push(node.text)
      rest += code.slice(end, node.getStart(file))
      end = node.end
    }
    ts.forEachChild(node, visit)
  }
  const file = ts.createSourceFile('code.ts', code, ts.ScriptTarget.ES2023)
  visit(file)
  return { rest: rest + code.slice(end), literals }
}
