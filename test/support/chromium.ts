/** Pages in the Chromium that is installed, and what happens on them that must not. */
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { projectRoot } from '../../scripts/imports.ts'

/** Where Debian and others put it. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Its path; undefined where none is installed. */
export const chromiumPath: string | undefined = PLACES.find((path) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
})

/** What stands behind the name of tests that are skipped. */
export const skipped: string = chromiumPath === undefined ? ' (skipped: no Chromium is installed)' : ''

/** A page. All that it loaded besides itself, and all that its policy refused, is an incident. */
export interface Opened {
  readonly page: Page
  readonly incidents: string[]
}

/** Opens HTML as a file of its own. */
export type Open = (html: string, options?: BrowserContextOptions) => Promise<Opened>

/** What opens pages in one browser, which runs as long as the tests of the suite that asks. */
export function browserForSuite(): Open {
  let browser: Browser
  let folder: string
  let pages = 0
  beforeAll(async () => {
    mkdirSync(join(projectRoot, '.tmp'), { recursive: true })
    folder = mkdtempSync(join(projectRoot, '.tmp', 'page-'))
    if (chromiumPath !== undefined) browser = await chromium.launch({ executablePath: chromiumPath })
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return (html, options) => {
    const path = join(folder, `${pages++}.html`)
    writeFileSync(path, html)
    return openFile(browser, path, options)
  }
}

async function openFile(browser: Browser, path: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const { href } = pathToFileURL(path)
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  const incidents: string[] = []
  await page.exposeFunction('refused', (directive: string) => void incidents.push(`refused by ${directive}`))
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', ({ violatedDirective }) => refused(violatedDirective))",
  )
  page.on('console', (message) => void incidents.push(`console: ${message.text()}`))
  page.on('pageerror', (error) => void incidents.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => {
    incidents.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.route('**', (route) => {
    if (route.request().url() === href) return route.continue()
    incidents.push(`request: ${route.request().url()}`)
    return route.abort()
  })
  await page.goto(href)
  return { page, incidents }
}

/** Every element and attribute that the document has, each once. */
export function vocabularyOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const words = new Set<string>()
    for (const { tagName, attributes } of document.querySelectorAll('*')) {
      for (const name of ['', ...Array.from(attributes, (attribute) => attribute.name)]) {
        words.add(`${tagName.toLowerCase()} ${name}`.trim())
      }
    }
    return [...words].sort()
  })
}

/** How far the page is wider than the window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
}
