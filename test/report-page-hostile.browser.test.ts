/** The page of a report in a browser: whatever text a log holds, it is text there; nothing is loaded, and nothing is sent. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { audit, type AuditReport } from '../src/audit/index.ts'
import { reportPage } from '../src/audit/page/report-page.ts'
import { visibleText } from '../src/audit/page/visible-text.ts'
import { guessTokens } from '../src/cache/index.ts'
import { exampleReport } from '../src/cli/audit/print/test-report.ts'
import { conversation, environmentOf } from './support/audit/coding-agent.ts'
import { linesOf } from './support/audit/log.ts'
import { calls } from './support/audit/scenes.ts'
import { browserForSuite, chromiumPath, overflowOf, skipped, vocabularyOf } from './support/chromium.ts'

describe.skipIf(chromiumPath === undefined)(`the page of a report with any text in it${skipped}`, () => {
  const opened = browserForSuite()

  describe('of a log that is hostile', () => {
    const bait = [
      '</script><script>alert(1)</script>',
      '--><img src=x onerror=alert(2)><!--',
      `"' autofocus onfocus=alert(3) x="`,
      '{{constructor.constructor("alert(4)")()}} ${alert(5)} <%= 6 %>',
      '<svg/onload=alert(7)><style>*{display:none}</style><base href=//evil.example>',
      '<a href="javascript:alert(8)">x</a><iframe srcdoc="<script>alert(9)</script>"></iframe>',
      '</title></style></textarea></noscript></template>',
      '\u001b[2J\u0000\u0007\u202e\u2066\u200b\ufeff\ud83d\u2028',
      'url(https://evil.example/a.png)',
    ].join(' ')
    const large = 'A line without an end. '.repeat(440_000)

    async function hostilePage(): Promise<string> {
      const bodies = conversation({ turns: 3, environment: (index) => environmentOf({ branch: `${bait}${index}` }) })
      const lines = linesOf(calls(bodies)).map((line, index) => {
        const entry = JSON.parse(line) as Record<string, unknown> & { request: { body: Record<string, unknown> } }
        const text = `${bait}${index}`
        const body: Record<string, unknown> = { ...entry.request.body, service_tier: text, tool_choice: { type: text } }
        body['system'] = [
          { type: 'text', text: `${index}${bait}${index < 2 ? large : ''}` },
          ...(body['system'] as readonly object[]),
        ]
        body['tools'] = [{ name: text, description: text, input_schema: { [bait]: text } }]
        const request = { ...entry.request, body }
        return JSON.stringify({ ...entry, session_id: bait, request_id: index === 1 ? large : text, request })
      })
      const content = new TextEncoder().encode(`${lines.join('\n')}\n${bait}\n`)
      const log = {
        name: `${bait}.jsonl`,
        async *open() {
          yield content
        },
      }
      const options = { countTokens: guessTokens, now: new Date('2026-12-01'), salt: 's', secret: 's' }
      return reportPage(await audit([log], { ...options, includeText: true }))
    }

    it('is text, however long it is, and nothing of it runs or leaves', async () => {
      const { page, incidents } = await opened(await hostilePage())
      expect(await vocabularyOf(page)).toEqual(expect.arrayContaining(['rect width']))
      const { page: plain } = await opened(reportPage(exampleReport()))
      const known = new Set([...(await vocabularyOf(plain)), 'span class', 'li'])
      expect((await vocabularyOf(page)).filter((word) => !known.has(word))).toEqual([])
      expect(await page.locator('script').count()).toBe(1)
      const text = (await page.locator('main').textContent()) ?? ''
      expect(text).toContain(visibleText(bait).slice(0, 60))
      expect(text.length).toBeLessThan(100_000)
      expect(text).not.toMatch(/[^\P{C}\n\t]/u)
      await page.keyboard.press('Tab')
      await page.locator('.turn > summary').first().click()
      await page.setViewportSize({ width: 360, height: 800 })
      expect(await overflowOf(page)).toBe(0)
      expect(incidents).toEqual([])
    })
  })

  it('refuses by its policy what no page has, and that is seen here', async () => {
    const evil = [
      '<img src="https://evil.example/a.png"><link rel="stylesheet" href="https://evil.example/a.css">',
      '<script>alert(1)</script><script src="https://evil.example/a.js"></script>',
      '<p style="background: url(https://evil.example/b.png)">x</p><iframe src="https://evil.example"></iframe>',
      '<form action="https://evil.example"><button autofocus onfocus="alert(2)">x</button></form><base href="/x/">',
    ]
    const html = reportPage(exampleReport()).replace('</main>', () => `${evil.join('')}</main>`)
    const { page, incidents } = await opened(html)
    await page.evaluate(() => document.forms[0]?.requestSubmit())
    const refused = (): string[] => incidents.filter((incident) => incident.startsWith('refused by')).sort()
    await expect
      .poll(() => [...new Set(refused())])
      .toEqual([
        'refused by base-uri',
        'refused by form-action',
        'refused by frame-src',
        'refused by img-src',
        'refused by script-src-attr',
        'refused by script-src-elem',
        'refused by style-src-attr',
        'refused by style-src-elem',
      ])
    expect(incidents.filter((incident) => /^(?:request|dialog)/.test(incident))).toEqual([])
  })

  it('gives every text back, and has no element more for it', async () => {
    const { page } = await opened('<!doctype html><title>Nothing</title>')
    const shapesOf = (htmls: readonly string[]): Promise<(readonly [shape: string, text: string])[]> =>
      page.evaluate(
        (documents) =>
          documents.map((html) => {
            const parsed = new DOMParser().parseFromString(html, 'text/html')
            const shape = Array.from(parsed.querySelectorAll('*'), (node) =>
              [node.tagName, ...Array.from(node.attributes, ({ name }) => name)].join(' '),
            )
            return [shape.join('\n'), parsed.querySelector('main')?.textContent ?? ''] as const
          }),
        htmls,
      )
    /** Names of fields that hold texts of a log, or that what is in logs gets into. */
    const fields = new Set('model provider session file text preview fix message detail path requestId'.split(' '))
    const withTexts = (put: string): string =>
      reportPage(
        JSON.parse(
          JSON.stringify({ ...exampleReport(), byModel: [] }, (key, value: unknown) =>
            fields.has(key) && typeof value === 'string' && value !== '' ? put : value,
          ),
        ) as AuditReport,
      )
    const occurrences = (text: string, wanted: string): number => text.split(wanted).length - 1
    // As long as what a report says of its length, so that nothing is taken for cut.
    const textOf = (middle: string): string => `@${middle}@${'y'.repeat(40)}`
    const harmless = textOf('harmless')
    const [[shape, text] = ['', '']] = await shapesOf([withTexts(harmless)])
    const expected = occurrences(text, harmless)
    expect(expected).toBeGreaterThan(30)
    const marks = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '</script>',
      '<!--',
      '&lt;',
      '\0',
      '\u202e',
      '\r\n',
      '`',
      '${',
    )
    const hostile = fc.array(fc.oneof(marks, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(hostile, async (parts) => {
        const put = textOf(parts.join(''))
        const [[found, shown] = ['', '']] = await shapesOf([withTexts(put)])
        expect(found).toBe(shape)
        expect(occurrences(shown, visibleText(put))).toBeGreaterThanOrEqual(expected)
      }),
      { numRuns: 60 },
    )
  })
})
