/**
 * What happens in the demo: a user and an agent review a repository while it changes under them. One step is one turn,
 * which is one request; the twelve steps make a round, and a longer conversation is more rounds over other files.
 *
 * Each kind of change comes once in a round (a colleague's commit, a branch, a mode, the agent's own edit and commit, rules
 * that are edited and removed, a new day), with quiet turns between them.
 */
import type { Repository } from './repository.ts'
import type { ToolCall } from './tools.ts'
import type { World } from './world.ts'

/** The most turns that a conversation may have. */
export const MAX_TURNS = 200

/** How long a turn takes, in minutes: less than a cache entry lives, which is 5. A round fits between two midnights. */
export const MINUTES_PER_TURN = 2

export interface Step {
  /** What the user says before the turn; the results of the last answer's calls come otherwise. */
  readonly user?: string
  /** What happens in the world before the turn. */
  readonly event?: { readonly note: string; happen(world: World): Promise<void> | void }
  /** What the model answers. */
  readonly answer: string
  readonly calls?: readonly ToolCall[]
}

const RULES = 'AGENTS.md'
const NOTES = 'REVIEW.md'
const CHANGES = 'CHANGELOG.md'

/** The steps of a conversation of so many turns. */
export function createScript(repository: Repository, turns: number): readonly Step[] {
  const steps: Step[] = []
  for (let round = 1; steps.length < turns; round++) steps.push(...createRound(repository, round))
  return steps.slice(0, turns)
}

function createRound({ home, reviewed }: Repository, round: number): readonly Step[] {
  const file = (offset: number): string => reviewed[(3 * (round - 1) + offset) % reviewed.length] as string
  const [first, second, third] = [file(0), file(1), file(2)]
  return [
    {
      user: `Please review ${first} and ${second}. Look around first.`,
      ...(round > 1 && { event: mergeReview(home, reviewBranch(home, round - 1)) }),
      answer: 'I will see what is here.',
      calls: [{ name: 'list_files', input: { limit: 200 } }],
    },
    {
      answer: 'Now both files.',
      calls: [
        { name: 'read_file', input: { path: first } },
        { name: 'read_file', input: { path: second } },
      ],
    },
    { answer: 'And how they came to be.', calls: [{ name: 'read_log', input: { count: 10 } }] },
    {
      event: {
        note: 'a colleague commits',
        async happen({ repository, now }) {
          await repository.write(
            CHANGES,
            (before = '# Changes\n') => `${before}\nRelease ${round} is being prepared.\n`,
          )
          await repository.commit(CHANGES, 'Prepare a release', { name: 'Grace', at: now() })
        },
      },
      answer:
        `I found nothing wrong in ${first} or in ${second}: both do what they say, and the log explains why they are as they ` +
        'are. I can write that down, once I may change files.',
    },
    {
      user: 'Go ahead, on a branch of its own.',
      event: {
        note: 'the user switches to a branch, and to the mode for changes',
        async happen(world) {
          await world.repository.git(['checkout', '--quiet', '-b', reviewBranch(home, round)])
          world.mode = 'build'
        },
      },
      answer: 'I am writing the note.',
      calls: [{ name: 'write_note', input: { path: NOTES, line: `${first}, ${second}: nothing found.` } }],
    },
    {
      answer: 'I am committing it.',
      calls: [{ name: 'commit_file', input: { path: NOTES, subject: 'Review two files' } }],
    },
    { answer: 'The note is committed.' },
    {
      user: `Now ${third}, please. Mind the rules: there is a new one.`,
      event: {
        note: `the user edits ${RULES}`,
        async happen({ repository, now }) {
          await repository.write(
            RULES,
            (before = '# Rules\n\n') => `${before}- A review names the files that it left out.\n`,
          )
          await repository.commit(RULES, 'Ask reviews for what they left out', { name: 'Ada', at: now() })
        },
      },
      answer: 'I am reading it.',
      calls: [{ name: 'read_file', input: { path: third } }],
    },
    {
      event: {
        note: round === 1 ? 'midnight passes' : 'a day passes, and the cache expires',
        happen: (world) => world.passMidnight(),
      },
      answer: 'One more look at what happened lately.',
      calls: [{ name: 'read_log', input: { count: 10 } }],
    },
    { answer: `Nothing wrong in ${third} either. I read three files, and left out all others.` },
    {
      user: 'Thank you. The rules are moving to the handbook, so forget them here.',
      event: {
        note: `the user removes ${RULES}`,
        async happen({ repository, now }) {
          await repository.remove(RULES)
          await repository.commit(RULES, 'Move the rules to the handbook', { name: 'Ada', at: now() })
        },
      },
      answer: 'I will check that nothing else has gone with them.',
      calls: [{ name: 'list_files', input: { limit: 200 } }],
    },
    { answer: 'Everything else is still there. The review is done.' },
  ]
}

/** A branch that the repository has not got: of a clone's branches, only the one that it is on is there. */
function reviewBranch(home: string, round: number): string {
  return home.startsWith('review-') ? `indelible-review-${round}` : `review-${round}`
}

function mergeReview(home: string, branch: string): NonNullable<Step['event']> {
  return {
    note: 'the review is merged, and the mode set back',
    async happen(world) {
      await world.repository.git(['checkout', '--quiet', home])
      await world.repository.git(['merge', '--quiet', '--ff-only', branch])
      world.mode = 'plan'
    },
  }
}
