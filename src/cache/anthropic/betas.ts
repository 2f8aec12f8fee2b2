/** What the Messages API takes in a request only with a value of `anthropic-beta`. */
import type { Rule } from '../rule.ts'

/** One beta: the value of the header that turns it on. */
export interface Beta extends Rule {
  readonly header: string
}

const systemMessages = 'https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages'
const official = { since: '2026-11-30', confidence: 'official', source: systemMessages } as const

/** Every beta that changes what a request may say. */
export const anthropicBetas: {
  readonly clearAt: Beta
  readonly outputConfig: Beta
  readonly thinkingBinding: Beta
  /** Tools of the request come and go in mid-conversation, by their name. */
  readonly toolChanges: Beta
  /** The same, and tools that the request does not have, by their definition. */
  readonly inlineTools: Beta
} = {
  clearAt: { ...official, header: 'mid-conversation-system-clear-at-2026-08-21' },
  outputConfig: {
    ...official,
    header: 'mid-conversation-output-config-2026-07-01',
    source: 'https://platform.claude.com/docs/en/build-with-claude/effort',
  },
  thinkingBinding: {
    ...official,
    header: 'thinking-binding-controls-2026-08-01',
    source: 'https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks',
  },
  toolChanges: { ...official, header: 'mid-conversation-tool-changes-2026-07-01' },
  inlineTools: { ...official, header: 'inline-tools-2026-09-15' },
}
