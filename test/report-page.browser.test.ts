/** The page of a report in a browser: it can be read and used at every width, by keyboard, and without its script. */
import axe, { type AxeResults } from 'axe-core'
import { describe, expect, it } from 'vitest'
import type { AuditReport } from '../src/audit/index.ts'
import { reportPage } from '../src/audit/page/report-page.ts'
import { exampleReport, report, stream, turn } from '../src/cli/audit/print/test-report.ts'
import { browserForSuite, chromiumPath, overflowOf, skipped, vocabularyOf } from './support/chromium.ts'

it('has a browser to run in where it must not be skipped', () => {
  expect(process.env['CI'] === undefined || chromiumPath !== undefined).toBe(true)
})

/** Many turns in one conversation, each as large as its number. */
function longReport(count: number): AuditReport {
  const turns = Array.from({ length: count }, (_, index) =>
    turn(index, 'appended', { requestId: `request ${index + 1}`, model: `<b>${index + 1}</b>\u202e` }),
  )
  return report({ streams: [stream(turns)] })
}

describe.skipIf(chromiumPath === undefined)(`the page of a report in a browser${skipped}`, () => {
  const opened = browserForSuite()

  it('draws bars as wide as their numbers', async () => {
    const { page } = await opened(reportPage(exampleReport()))
    const widths = await page
      .locator('.stream')
      .first()
      .locator('.turn')
      .evaluateAll((turns) =>
        turns.map((one) => {
          const bar = one.querySelector('svg.bar')
          const whole = bar?.getBoundingClientRect().width ?? 0
          const part = (name: string): number =>
            (bar?.querySelector(`rect.${name}`)?.getBoundingClientRect().width ?? 0) / whole
          return { label: bar?.getAttribute('aria-label'), read: part('read'), again: part('again'), new: part('new') }
        }),
      )
    const { turns } = exampleReport().streams[1] ?? { turns: [] }
    const most = 20_000
    expect(widths).toHaveLength(turns.length)
    for (const [index, { tokens, lost }] of turns.entries()) {
      const [total, read] = [tokens.total ?? 0, tokens.read ?? 0]
      const again = Math.min(total - read, lost.tokens)
      expect(widths[index]?.read).toBeCloseTo(read / most, 3)
      expect(widths[index]?.again).toBeCloseTo(again / most, 3)
      expect(widths[index]?.new).toBeCloseTo((total - read - again) / most, 3)
    }
    expect(widths[1]?.label).toBe('read 1,500, sent again 9,000, new 500')
  })

  it('shows the details of a turn to the pointer, to the focus, and for good when it is opened', async () => {
    const { page } = await opened(reportPage(exampleReport()))
    const row = page.locator('.turn').nth(1)
    const facts = row.locator('.facts')
    const isSeen = (): Promise<boolean> => facts.evaluate((node) => node.checkVisibility())
    expect(await isSeen()).toBe(false)
    await row.locator('summary').hover()
    expect(await isSeen()).toBe(true)
    expect(await facts.innerText()).toContain('9,000 tokens, $0.052 more than reads')
    await page.mouse.move(0, 0)
    expect(await isSeen()).toBe(false)
    await page.locator('.turn > summary').first().focus()
    await page.keyboard.press('Tab')
    expect(await isSeen()).toBe(true)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await isSeen()).toBe(true)
    expect(await row.evaluate((node) => node.hasAttribute('open'))).toBe(true)
  })

  it('is reached by keyboard from its start to its last control', async () => {
    const { page } = await opened(reportPage(exampleReport()))
    const wanted = await page.locator('summary:visible, button:visible, input:visible').count()
    const seen = new Set<string>()
    for (let step = 0; step < wanted; step++) {
      await page.keyboard.press('Tab')
      seen.add(
        await page.evaluate(() => {
          const node = document.activeElement
          const outline = node === null ? '' : getComputedStyle(node).outlineStyle
          return `${[...document.querySelectorAll('*')].indexOf(node ?? document.body)} ${outline}`
        }),
      )
    }
    expect(seen.size).toBe(wanted)
    expect([...seen].every((place) => place.endsWith(' solid'))).toBe(true)
  })

  it.each([360, 768, 1280, 2560])('fits into %i pixels, with everything open', async (width) => {
    const { page } = await opened(reportPage(exampleReport()), { viewport: { width, height: 900 } })
    expect(await overflowOf(page)).toBe(0)
    await page.evaluate(() => {
      for (const node of document.querySelectorAll('details')) node.open = true
    })
    expect(await overflowOf(page)).toBe(0)
  })

  it.each(['light', 'dark'] as const)('has nothing that keeps anyone out, in %s', async (colorScheme) => {
    const { page } = await opened(reportPage(exampleReport()), { colorScheme, bypassCSP: true })
    await page.evaluate(() => {
      for (const node of document.querySelectorAll('details')) node.open = true
    })
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate<AxeResults>('axe.run()')
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

  it('can be read without its script', async () => {
    const { page } = await opened(reportPage(longReport(100)), { javaScriptEnabled: false })
    expect(await page.locator('.turn').count()).toBe(40)
    expect(await page.locator('.unscripted').isVisible()).toBe(true)
    expect(await page.locator('.pager').isVisible()).toBe(false)
    await page.locator('.turn > summary').nth(39).click()
    expect(await page.locator('.turn').nth(39).locator('.facts').isVisible()).toBe(true)
  })

  it('turns the pages of ten thousand turns, and holds few of them at a time', async () => {
    const { page, incidents } = await opened(reportPage(longReport(10_000)))
    const size = (): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length)
    const numbers = (): Promise<string[]> => page.locator('.turn .number').allInnerTexts()
    const before = await vocabularyOf(page)
    const status = page.locator('.shown')
    expect(await size()).toBeLessThan(5000)
    expect(await page.locator('.unscripted').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Previous' }).click({ force: true })
    expect(await status.innerText()).toBe('Turns 1 to 40 of 10,000')
    await page.getByRole('button', { name: 'Next' }).click()
    expect(await status.innerText()).toBe('Turns 41 to 80 of 10,000')
    expect((await numbers())[0]).toContain('41')
    await page.getByLabel('Go to').fill('9999')
    await page.keyboard.press('Enter')
    expect(await status.innerText()).toBe('Turns 9,961 to 10,000 of 10,000')
    const last = page.locator('.turn').nth(39)
    await last.locator('summary').click()
    expect(await last.locator('.facts').innerText()).toContain('<b>10000</b>\\u202e')
    await page.getByRole('button', { name: 'Next' }).click({ force: true })
    expect(await status.innerText()).toBe('Turns 9,961 to 10,000 of 10,000')
    for (const wrong of ['0', '10001', '', '1.5']) {
      await page.getByLabel('Go to').fill(wrong)
      await page.keyboard.press('Enter')
    }
    expect(await size()).toBeLessThan(5000)
    expect(await vocabularyOf(page)).toEqual([...new Set([...before, 'details open', 'div data-start'])].sort())
    await page.getByLabel('Go to').fill('1')
    await page.keyboard.press('Enter')
    expect((await numbers())[0]).toContain('1')
    expect(incidents).toEqual([])
  })
})
