/** How a page looks: plain, in light and dark, from 360 to 2,560 pixels, and on paper. */

/** Its text, which is the same on every page, so that one hash permits it. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f6f7f8; --line: #d5d9de; --ink: #1c2126; --soft: #57606a; --focus: #0b57d0;
  --read: #1a7f4b; --again: #c62828; --new: #a97a00; --mark: #ffffff; --lost: #b3211f; --good: #14693d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --raised: #1d2125; --line: #3a4148; --ink: #e4e7ea; --soft: #a3acb5; --focus: #8ab4f8;
    --read: #4cc38a; --again: #ff6b63; --new: #e5b53b; --mark: #14171a; --lost: #ff8a82; --good: #6fd6a2;
  }
}
* { box-sizing: border-box; }
html { background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; }
main { max-width: 100rem; margin: 0 auto; padding: 1.5rem clamp(1rem, 4vw, 4rem) 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 2.5rem 0 0.75rem; }
h3 { font-size: 1rem; margin: 0; }
p { margin: 0.5rem 0; max-width: 80ch; }
ol, ul, dl, dd { margin: 0; padding: 0; }
code { font: 0.875em/1.5 ui-monospace, monospace; white-space: pre-wrap; background: var(--raised); border-radius: 3px; padding: 0 0.25em; }
.lead { font-size: 1.05rem; margin: 0.25rem 0 1.25rem; }
.quiet, .masked, caption, dt, footer, .unscripted { color: var(--soft); }
.quiet { font-size: 0.875rem; }
code.masked { color: var(--soft); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.patterns { position: absolute; }

.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr)); gap: 1rem 1.5rem; }
.figures > div { border-left: 3px solid var(--line); padding-left: 0.75rem; }
.figures strong { display: block; font-size: 1.5rem; line-height: 1.2; font-weight: 600; font-variant-numeric: tabular-nums; }
.figures span { font-size: 0.875rem; color: var(--soft); }

table { border-collapse: collapse; margin: 0.75rem 0 1.5rem; min-width: min(100%, 40rem); font-size: 0.9375rem; }
caption { text-align: left; font-size: 0.875rem; padding-bottom: 0.25rem; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 1.5rem 0.3rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
.amount { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }

.plan { padding-left: 1.5rem; max-width: 100ch; }
.plan li { padding: 0.25rem 0; }
.plan strong { color: var(--good); white-space: nowrap; }

summary { cursor: pointer; border-radius: 4px; }
summary:focus-visible, button:focus-visible, input:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
summary h3 { display: inline; }
.culprits, .turns, .values, .notes, .remarks, .legend { list-style: none; }
.culprit, .stream { border: 1px solid var(--line); border-radius: 8px; padding: 0.75rem 1rem; margin: 0.75rem 0; }
.culprit .loss { display: block; color: var(--lost); font-variant-numeric: tabular-nums; }
.fix { color: var(--good); }
.place { border-top: 1px solid var(--line); margin-top: 0.75rem; padding-top: 0.25rem; }
.values > li { padding: 0.1rem 0; }
.notes { margin-top: 0.75rem; font-size: 0.875rem; color: var(--soft); }
.remarks { max-width: 100ch; font-size: 0.9375rem; }
.remarks > li { padding: 0.2rem 0; border-bottom: 1px solid var(--line); }
.remarks + *, .remarks { margin-bottom: 1rem; }

.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 0.15rem 2rem; font-size: 0.9375rem; margin: 0.5rem 0; }
.facts > div { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 0 1rem; align-items: baseline; }
.facts > .wide { grid-column: 1 / -1; }
.facts dt { font-size: 0.875rem; }

.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; font-size: 0.875rem; margin: 0.5rem 0 1rem; }
.swatch { width: 1.75rem; height: 0.875rem; vertical-align: -0.1rem; border-radius: 2px; }
rect.read { fill: var(--read); } rect.again { fill: url(#again); } rect.new { fill: url(#new); }
.again-ground { fill: var(--again); } .new-ground { fill: var(--new); } .mark { fill: var(--mark); }
svg { forced-color-adjust: none; }

.turns { margin: 0.75rem -0.5rem 0; }
.turns > li { position: relative; }
.turn > summary { display: grid; grid-template-columns: 3rem 6rem minmax(8rem, 1fr) 5rem minmax(10rem, 20rem); gap: 0 0.75rem; align-items: center; padding: 0.1rem 0.5rem; font-size: 0.9375rem; font-variant-numeric: tabular-nums; list-style: none; }
.turn > summary::-webkit-details-marker { display: none; }
.turn > summary:hover, .turn[open] > summary { background: var(--raised); }
.turn .number, .turn .tokens, .turn .cost { text-align: right; }
.turn .number { color: var(--soft); }
.turn .bar { display: block; width: 100%; height: 1rem; }
.turn .lost { color: var(--lost); }
.turn > .facts { background: var(--raised); border: 1px solid var(--line); border-radius: 0 0 8px 8px; padding: 0.5rem 0.75rem; margin: 0 0 0.5rem; max-width: none; }

@media (hover: hover) and (min-width: 45rem) {
  /* A closed turn shows its details beside the pointer or the focus; the pointer goes through them to the next row. */
  .turn:not([open]):hover::details-content, .turn:not([open]):has(> summary:focus-visible)::details-content {
    content-visibility: visible; position: absolute; z-index: 1; top: 100%; left: 10.5rem; right: 0.5rem; max-width: 60rem;
    pointer-events: none; box-shadow: 0 6px 24px rgb(0 0 0 / 0.25); border-radius: 8px;
  }
  .turns:hover .turn:not([open]):has(> summary:focus-visible):not(:hover)::details-content { content-visibility: hidden; box-shadow: none; }
  .turn:not([open]) > .facts { margin: 0; border-radius: 8px; }
  .turn:not([open]) .more { display: none; }
}

.pager { display: none; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: center; margin: 0.75rem 0; font-size: 0.9375rem; }
.scripted .pager { display: flex; }
.scripted .unscripted { display: none; }
button, input { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--soft); border-radius: 6px; padding: 0.3rem 0.75rem; }
button { cursor: pointer; }
button[aria-disabled='true'] { color: var(--soft); border-color: var(--line); cursor: default; }
input { width: 7rem; }

footer { border-top: 1px solid var(--line); margin-top: 3rem; font-size: 0.875rem; }

@media (max-width: 45rem) {
  .turn > summary { grid-template-columns: auto auto 1fr auto; gap: 0 0.6rem; padding: 0.35rem 0.5rem; }
  .turn .way { grid-column: 3; grid-row: 1; }
  .turn .cost { grid-column: 4; grid-row: 1; }
  .turn .bar { grid-column: 1 / -1; grid-row: 2; height: 0.75rem; }
  .facts, .facts > div { grid-template-columns: minmax(0, 1fr); }
  .facts > div + div { margin-top: 0.3rem; }
  .culprit, .stream { padding: 0.6rem 0.75rem; }
  table, caption, tbody, tr, td { display: block; width: 100%; min-width: 0; }
  thead { display: none; }
  tr { border-bottom: 1px solid var(--line); padding: 0.4rem 0; }
  td, td.amount { border: 0; padding: 0; text-align: left; white-space: normal; }
  td::before { content: attr(data-title) ': '; color: var(--soft); }
}

@media print {
  html { font-size: 11px; }
  main { max-width: none; padding: 0; }
  .pager, .scripted .pager { display: none; }
  .culprit, .turn, .plan li { break-inside: avoid; }
  .culprit::details-content, .stream::details-content { content-visibility: visible; }
  rect, pattern, code { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`
