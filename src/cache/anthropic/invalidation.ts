/**
 * What a change outside the prompt loses on the Messages API: the rows of the provider's table of invalidation that are
 * parameters. The other rows (tool definitions, system content, thinking blocks) are content, and so part of the layout.
 */
import type { Section } from '../layout/types.ts'
import type { Rule } from '../rule.ts'
import { isOneOf, type ModelRange } from './models.ts'

/** One row: a change of `parameter` loses the entries that end in `sections`. Later rows win over earlier ones. */
export interface InvalidationRule extends Rule {
  readonly parameter: string
  readonly sections: readonly Section[]
  /** Every model unless said. */
  readonly models?: readonly ModelRange[]
}

/** A model's treatment of thinking blocks of earlier turns. */
export interface ThinkingRule extends Rule {
  /** Removed from the prompt once a user turn without tool results follows. */
  readonly stripped: boolean
  readonly models: readonly ModelRange[]
}

const caching = 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching'
const official = { since: '2026-11-30', source: caching, confidence: 'official' } as const
const reported = { ...official, confidence: 'reported' } as const
const assumed = { ...official, confidence: 'assumed' } as const

const everything: readonly Section[] = ['tools', 'system', 'messages']
const afterTools: readonly Section[] = ['system', 'messages']
const conversation: readonly Section[] = ['messages']

/** Every row, the general ones first. */
export const anthropicInvalidation: readonly InvalidationRule[] = [
  { ...official, parameter: 'model', sections: everything },
  { ...reported, parameter: 'output_config.format', sections: everything },
  { ...official, parameter: 'speed', sections: afterTools },
  { ...official, parameter: 'citations', sections: afterTools },
  { ...official, parameter: 'tool_choice', sections: conversation },
  { ...reported, parameter: 'disable_parallel_tool_use', sections: conversation },
  { ...official, parameter: 'images', sections: conversation },
  // The provider says "by model" for tools and system. Up to 4.x its older page had both survive; on Opus 5 an effort
  // change was seen to write the system entry anew, so later models and unknown ones are taken to lose all.
  { ...assumed, parameter: 'thinking', sections: everything },
  { ...assumed, parameter: 'output_config.effort', sections: everything },
  { ...reported, parameter: 'thinking', sections: conversation, models: [{ family: '*', through: '4.9' }] },
  { ...reported, parameter: 'output_config.effort', sections: conversation, models: [{ family: '*', through: '4.9' }] },
]

/** Which models strip; a model that no row names keeps. */
export const anthropicThinking: readonly ThinkingRule[] = [
  {
    ...official,
    stripped: true,
    models: [
      { family: 'opus', through: '4.4' },
      { family: 'sonnet', through: '4.5' },
      { family: 'haiku', through: '4.5' },
    ],
  },
]

/** The row that holds for a parameter and a model; undefined for a parameter that scopes nothing. */
export function invalidation(parameter: string, model: string | undefined): InvalidationRule | undefined {
  return anthropicInvalidation.findLast(
    (rule) => rule.parameter === parameter && (rule.models === undefined || isOneOf(model, rule.models)),
  )
}

/** True when thinking of earlier turns leaves the prompt at the next user turn that brings no tool results. */
export function stripsThinking(model: string | undefined): boolean {
  return anthropicThinking.findLast(({ models }) => isOneOf(model, models))?.stripped ?? false
}
