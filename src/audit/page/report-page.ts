/**
 * A report as one HTML page that can be looked at and sent to somebody: it loads nothing, sends nothing, and holds what the
 * report holds, so that what is masked there is masked here.
 *
 * Its policy permits this one style and this one script by their hashes, and no source, handler, form or base. All that
 * matters is there without the script.
 */
import { sha256Base64 } from '../../base/digest.ts'
import type { AuditReport } from '../report/types.ts'
import { titleOf } from '../words/figures.ts'
import { itemsOf } from '../words/items.ts'
import { dollars, type Unit } from '../words/unit.ts'
import { culpritSection } from './culprits.ts'
import { inputSection } from './inputs.ts'
import { element, escapeHtml, scriptJson, toHtml, type Markup } from './markup.ts'
import { numberingOf } from './numbering.ts'
import type { Rest } from './pages.ts'
import { planSection } from './plan.ts'
import { remarkSection } from './remarks.ts'
import { script } from './script.ts'
import { streamSection } from './streams.ts'
import { style } from './style.ts'
import { summarySection, sumSection } from './summary.ts'

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${sha256Base64(style)}'`,
  `script-src 'sha256-${sha256Base64(script)}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** What every page begins with, and tells one from other files. */
export const PAGE_START = '<!doctype html>\n<html lang="en" data-generator="indelible">'

/** The page, in UTF-8. Amounts in the report are those of `unit`. */
export function reportPage(report: AuditReport, unit: Unit = dollars): string {
  const items = itemsOf(report)
  const numbering = numberingOf(report, items, unit)
  const rest: Rest = new Map()
  const sections = [
    element('h1', {}, 'Prompt cache audit'),
    summarySection(report, unit),
    planSection(report, items, unit),
    culpritSection(report, items, numbering, rest),
    streamSection(numbering, rest),
    sumSection(report, unit),
    remarkSection(report, numbering, rest),
    inputSection(report),
    footer(report, unit),
  ].filter((section) => section !== null)
  const data = [...rest].map(([id, list]) => `<script type="application/json" id="${id}">${scriptJson(list)}</script>`)
  return `${PAGE_START}
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${escapeHtml(`Prompt cache audit: ${titleOf(report)}`)}</title>
<style>${style}</style>
</head>
<body>
${patterns}
<main>
${sections.map(toHtml).join('\n')}
</main>
${data.join('\n')}
<script>${script}</script>
</body>
</html>
`
}

/** What tells the stretches of a bar apart besides their colours. */
const patterns = `<svg class="patterns" aria-hidden="true" width="0" height="0"><defs>
<pattern id="again" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="again-ground" width="6" height="6"/><rect class="mark" width="2" height="6"/></pattern>
<pattern id="new" width="6" height="6" patternUnits="userSpaceOnUse"><rect class="new-ground" width="6" height="6"/><circle class="mark" cx="3" cy="3" r="1.3"/></pattern>
</defs></svg>`

function footer({ generator, currency }: AuditReport, unit: Unit): Markup {
  const { version, rulesAsOf, pricesAsOf } = generator
  const prices = pricesAsOf === null ? '' : `, prices of ${pricesAsOf}`
  const money =
    unit.name === 'seconds'
      ? 'Seconds are those that a server takes to process what it did not read from its cache.'
      : `Money is in ${currency} at list prices.`
  return element(
    'footer',
    {},
    element(
      'p',
      {},
      `Made by indelible ${version} with rules of ${rulesAsOf}${prices}. ${money} ` +
        'What providers reported and what their rules come to are told apart; ~ stands before tokens that nobody reported.',
    ),
    element(
      'p',
      {},
      'A masked text stands as its shape: letters are x, digits 0; texts with the same # are equal. What looks like a key is ' +
        'masked in every report. A character that is not seen stands as its escape. This page loads nothing and sends nothing.',
    ),
  )
}
