/** Parameters that the Messages API takes only with a beta header. */
import { anthropicBetas, type Beta } from '../../cache/anthropic/betas.ts'
import { fields, list, text } from '../fields.ts'
import type { EndpointRequest } from '../types.ts'
import { isToolChange } from './check-tool-changes.ts'

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
    const refused = missing(anthropicBetas.thinkingBinding, `thinking.${text(thinking['type']) ?? ''}.block_binding`)
    if (refused !== null) return refused
  }
  for (const [index, message] of list(body['messages']).entries()) {
    const { clear_at: clearAt, output_config: outputConfig } = fields(message)
    const refused =
      (clearAt === undefined || clearAt === null
        ? null
        : missing(anthropicBetas.clearAt, `messages.${index}.clear_at`)) ??
      (outputConfig === undefined ? null : missing(anthropicBetas.outputConfig, `messages.${index}.output_config`))
    if (refused !== null) return refused
    for (const [at, block] of list(fields(message)['content']).entries()) {
      const change = fields(block)
      if (!isToolChange(change)) continue
      const path = `messages.${index}.content.${at}`
      // Either header lets tools be changed by reference; by value, the second alone.
      if (asked.includes(anthropicBetas.inlineTools.header)) continue
      if (!asked.includes(anthropicBetas.toolChanges.header)) return `${path}.type: Extra inputs are not permitted`
      if (fields(change['tool'])['type'] === 'tool_definition') {
        return `${path}.${text(change['type'])}.tool.type: Input should be a reference to a tool`
      }
    }
  }
  return null
}
