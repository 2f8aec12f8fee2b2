/**
 * What is said and done in the conversation of the bench: a developer has a bug found and fixed. A step is a turn, which is
 * one request; there are twenty. What the model says is the emulator's script, what the tools return is real.
 *
 * The world changes as it does beside an agent that works: time passes before every request, the agent's own edits and the
 * developer's change the git status, the developer switches branches, and midnight passes. No pause is longer than the five
 * minutes that a cache entry lives, and nothing becomes again what it was at the start.
 */
import type { ToolInput } from './tools.ts'
import type { Workspace } from './workspace.ts'

export interface Step {
  /** What the developer says before the turn; the results of the last answer's calls come otherwise. */
  readonly user?: string
  /** What the developer does before it. */
  readonly happens?: (workspace: Workspace) => void
  /** What the model answers. */
  readonly answer: string
  readonly calls?: readonly { readonly name: string; readonly input: ToolInput }[]
}

/** When the first request is sent. */
export const BEGINNING: number = Date.parse('2026-12-01T23:18:00Z')

/** Minutes between two requests, over and over. */
export const PAUSES: readonly number[] = [2, 3, 1, 4, 2, 3]

/** What the developer has in the work tree when the conversation begins. */
export function prepare(workspace: Workspace): void {
  save('notes.txt', 'Call the printer people.\n')(workspace)
  save(
    'docs/counter.md',
    '# At the counter\n\nRefunds are entered by the till and show up here within a minute.\n',
  )(workspace)
}

const save = (path: string, text: string) => (workspace: Workspace) => workspace.write(path, text)

const REFUNDS = 'src/refunds/service.ts'
const INVOICES = 'src/invoices/service.ts'
const twoShares =
  '  return shareOf(shareOf(amountOfLine(line), 100 - line.discount), (100 * (line.count - returned)) / line.count)'
const oneRounding = '  return roundLine((amountOfLine(line) * (line.count - returned)) / line.count)'

const testOfKept = (area: string): string => `describe('keptOfLine', () => {
  it('is what is kept of what was paid, rounded once', async () => {
    const { keptOfLine } = await import('../src/${area}/service.ts')
    assert.equal(keptOfLine({ ...pot, count: 2, paid: 2547 }, 1), 1274)
  })
})

describe('amountOf', () => {`

export const script: readonly Step[] = [
  {
    user:
      'The counter says that refunds of discounted lines are off by a cent, though not always. Example: two pots at 15 percent, ' +
      '25.47 EUR paid, one comes back. They expect 12.74 EUR to be kept and the till shows 12.73. Please find out why.',
    answer: 'I will see what is here.',
    calls: [{ name: 'list_files', input: { folder: '' } }],
  },
  {
    answer: 'Looking for everything that takes a share or rounds.',
    calls: [
      { name: 'search_text', input: { text: 'shareOf(' } },
      { name: 'search_text', input: { text: 'roundLine(' } },
    ],
  },
  {
    answer: 'Reading the refunds and the rounding.',
    calls: [
      { name: 'read_file', input: { path: REFUNDS } },
      { name: 'read_file', input: { path: 'src/money/round.ts' } },
    ],
    happens: save('scripts/seed.ts', "import { enter } from '../src/orders/service.ts'\n"),
  },
  {
    answer: 'Reading how orders do it, for comparison.',
    calls: [{ name: 'read_file', input: { path: 'src/orders/service.ts' } }],
  },
  {
    answer: 'Now the tests of refunds.',
    calls: [{ name: 'read_file', input: { path: 'test/refunds.test.ts' } }],
    happens: save('notes.txt', 'Call the printer people. Seed script works.\n'),
  },
  {
    answer:
      'What is kept is computed twice. `keptOfLine` in src/refunds/service.ts takes the share for the discount from an amount that ' +
      'has the discount in it already, and then a share of that share, so a line is rounded twice and the discount counts twice. ' +
      'For lines without a discount both are the same, which is why it is seen seldom. Orders compute it from what was paid and round ' +
      'once. No test covers `keptOfLine`. I have not looked at invoices, which have the same function.',
    happens: save('docs/refunds.md', '# Refunds\n\nWhat is kept, and what comes back.\n'),
  },
  {
    user: 'That is it. Fix it on fix/kept-amount, which I have just checked out. Test first, please.',
    happens: (workspace) => (workspace.branch = 'fix/kept-amount'),
    answer: 'Writing the test with the example from the counter.',
    calls: [
      {
        name: 'edit_file',
        input: { path: 'test/refunds.test.ts', before: "describe('amountOf', () => {", after: testOfKept('refunds') },
      },
    ],
  },
  { answer: 'It should fail now.', calls: [{ name: 'run_tests', input: { area: 'refunds' } }] },
  {
    answer: 'It does, with the amount that the till shows. Changing the code.',
    calls: [{ name: 'edit_file', input: { path: REFUNDS, before: twoShares, after: oneRounding } }],
    happens: save('scripts/print.ts', "import { amountOf } from '../src/orders/service.ts'\n"),
  },
  { answer: 'Running the area.', calls: [{ name: 'run_tests', input: { area: 'refunds' } }] },
  {
    answer:
      'Fixed: what is kept is a share of what was paid, rounded once. The test with the example failed before and passes now, and so do ' +
      'all tests of refunds. Changed are src/refunds/service.ts and test/refunds.test.ts. Nothing is committed yet.',
    happens: save('docs/till.md', '# The till\n\nWhat it shows, and when.\n'),
  },
  {
    user: 'Good. Then the same for invoices, and commit both together.',
    answer: 'Reading the invoices and their tests.',
    calls: [
      { name: 'read_file', input: { path: INVOICES } },
      { name: 'read_file', input: { path: 'test/invoices.test.ts' } },
    ],
  },
  {
    answer: 'The same line. The test first again.',
    calls: [
      {
        name: 'edit_file',
        input: { path: 'test/invoices.test.ts', before: "describe('amountOf', () => {", after: testOfKept('invoices') },
      },
    ],
    happens: save('scripts/export.ts', "import { changedSince } from '../src/invoices/service.ts'\n"),
  },
  {
    answer: 'Now the code.',
    calls: [{ name: 'edit_file', input: { path: INVOICES, before: twoShares, after: oneRounding } }],
  },
  { answer: 'Running everything.', calls: [{ name: 'run_tests', input: { area: '' } }] },
  {
    answer: 'All pass. Committing the four files, without the ones that are yours.',
    calls: [
      {
        name: 'commit_changes',
        input: {
          paths: [REFUNDS, INVOICES, 'test/refunds.test.ts', 'test/invoices.test.ts'],
          subject: 'Compute what is kept from what was paid',
          body: 'The discount counted twice and a line was rounded twice,\nso that refunds of discounted lines were off by a cent.',
        },
      },
    ],
  },
  {
    answer:
      'Committed on fix/kept-amount, four files. `keptOfLine` is now the same in orders, refunds, invoices and shipments. The files ' +
      'that you are working on are not in the commit.',
    happens: save('docs/counter.md', '# At the counter\n\nRefunds show up here within a minute, to the cent.\n'),
  },
  {
    user: 'Thanks. I have merged it and cut the release: we are on release/2026-12-04. Add a line to the changelog there.',
    happens: (workspace) => (workspace.branch = 'release/2026-12-04'),
    answer: 'Reading the changelog.',
    calls: [{ name: 'read_file', input: { path: 'CHANGELOG.md' } }],
  },
  {
    answer: 'Adding a day, since the date has changed while we talked.',
    calls: [
      {
        name: 'edit_file',
        input: {
          path: 'CHANGELOG.md',
          before: '# Changes\n',
          after: '# Changes\n\n## 2026-12-02\n\n- What is kept of a discounted line is right to the cent.\n',
        },
      },
    ],
  },
  {
    answer:
      'CHANGELOG.md has the line now, under 2026-12-02, on release/2026-12-04. It is not committed. No test reads this file, so I ran none.',
  },
]
