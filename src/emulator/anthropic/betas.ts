/** Parameters that the Messages API takes only with a beta header. */
import type { Rule } from '../../cache/rule.ts'
import { fields, list, text } from '../fields.ts'
import type { EndpointRequest } from '../types.ts'

/** One beta: the value of `anthropic-beta` that turns it on. */
export interface Beta extends Rule {
  readonly header: string
}

const official = { since: '2026-11-30', confidence: 'official' } as const

/** Every beta that changes what a request may say. */
export const betas: {
  readonly clearAt: Beta
  readonly outputConfig: Beta
  readonly thinkingBinding: Beta
  readonly toolChanges: Beta
  readonly inlineTools: Beta
} = {
  clearAt: {
    ...official,
    header: 'mid-conversation-system-clear-at-2026-08-21',
    source: 'https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages',
  },
  outputConfig: {
    ...official,
    header: 'mid-conversation-output-config-2026-07-01',
    source: 'https://platform.claude.com/docs/en/build-with-claude/effort',
  },
  toolChanges: {
    ...official,
    header: 'mid-conversation-tool-changes-2026-07-01',
    source: 'https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages',
  },
  inlineTools: {
    ...official,
    header: 'inline-tools-2026-09-15',
    source: 'https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages',
  },
  thinkingBinding: {
    ...official,
    header: 'thinking-binding-controls-2026-08-01',
    source: 'https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks',
  },
}

/** The betas that a request asks for, sorted. */
export function betasOf(headers: EndpointRequest['headers']): readonly string[] {
  const names = (headers['anthropic-beta'] ?? '').split(',').map((name) => name.trim())
  return names.filter((name) => name !== '').sort()
}

/** The first parameter that lacks its header, in the API's words. */
export function checkBetas({ body, headers }: EndpointRequest): string | null {
  const asked = betasOf(headers)
  const missing = ({ header }: Beta, path: string): string | null =>
    asked.includes(header) ? null : `${path}: Extra inputs are not permitted`
  const thinking = fields(body['thinking'])
  if (thinking['block_binding'] !== undefined && thinking['block_binding'] !== null) {
    const refused = missing(betas.thinkingBinding, `thinking.${text(thinking['type']) ?? ''}.block_binding`)
    if (refused !== null) return refused
  }
  for (const [index, message] of list(body['messages']).entries()) {
    const { clear_at: clearAt, output_config: outputConfig } = fields(message)
    const refused =
      (clearAt === undefined || clearAt === null ? null : missing(betas.clearAt, `messages.${index}.clear_at`)) ??
      (outputConfig === undefined ? null : missing(betas.outputConfig, `messages.${index}.output_config`))
    if (refused !== null) return refused
    const change = list(fields(message)['content']).findIndex((block) => toolChanges.has(fields(block)['type']))
    // Either header lets tools be changed by reference; by value, the second alone.
    const takesChanges = asked.includes(betas.toolChanges.header) || asked.includes(betas.inlineTools.header)
    if (change >= 0 && !takesChanges) return `messages.${index}.content.${change}.type: Extra inputs are not permitted`
  }
  return null
}

const toolChanges = new Set<unknown>(['tool_addition', 'tool_removal'])
