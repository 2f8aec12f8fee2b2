/**
 * Cache diagnostics: where a request stops being a continuation of an earlier one, named by the id of its answer.
 *
 * It compares structure, not what the cache did: model, tools, system prompt, other parameters, messages, in this order,
 * and the first that differs is the answer. Only requests that ask for diagnostics are remembered, as digests, and only
 * the newest thousand.
 */
import { createHash } from 'node:crypto'
import type { Json } from '../../base/json.ts'
import { layout } from '../../cache/layout/layout.ts'
import type { Section } from '../../cache/layout/types.ts'
import { fields, text } from '../fields.ts'
import type { EndpointRequest } from '../types.ts'
import { betasOf } from './betas.ts'

/** The diagnoses of one emulator. */
export interface Diagnostics {
  /** `diagnostics` of the answer with this id; null where nothing was asked or nothing differs. */
  diagnose(request: EndpointRequest, messageId: string): Json
  clear(): void
}

interface Part {
  readonly digest: string
  readonly bytes: number
}

interface Fingerprint {
  readonly account: string
  readonly model: string
  readonly parameters: string
  readonly sections: Readonly<Record<Section, readonly Part[]>>
}

const maxRemembered = 1_000
/** The provider's own figure is an estimate by bytes as well. */
const bytesPerToken = 4

/** Remembers nothing yet. */
export function createDiagnostics(): Diagnostics {
  const remembered = new Map<string, Fingerprint>()
  return {
    diagnose(request, messageId) {
      const asked = request.body['diagnostics']
      if (asked === undefined || asked === null) return null
      const fingerprint = fingerprintOf(request)
      remembered.set(messageId, fingerprint)
      const [oldest] = remembered.keys()
      if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
      const id = text(fields(asked)['previous_message_id'])
      if (id === undefined) return null
      const previous = remembered.get(id)
      if (previous?.account !== request.account) {
        return { cache_miss_reason: { type: 'previous_message_not_found' } }
      }
      const reason = compare(previous, fingerprint)
      return reason === null ? null : { cache_miss_reason: reason }
    },
    clear: () => remembered.clear(),
  }
}

function compare(previous: Fingerprint, current: Fingerprint): Json {
  const { tools, system, messages } = previous.sections
  if (previous.model !== current.model) return missed('model_changed', [...tools, ...system, ...messages])
  if (!isSame(tools, current.sections.tools)) {
    return missed('tools_changed', [...behindCommon(tools, current.sections.tools), ...system, ...messages])
  }
  if (!isSame(system, current.sections.system)) {
    return missed('system_changed', [...behindCommon(system, current.sections.system), ...messages])
  }
  if (previous.parameters !== current.parameters) return { type: 'unavailable' }
  const lost = behindCommon(messages, current.sections.messages)
  return lost.length === 0 ? null : missed('messages_changed', lost)
}

function missed(type: string, parts: readonly Part[]): Json {
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
  return { type, cache_missed_input_tokens: Math.ceil(bytes / bytesPerToken) }
}

function isSame(one: readonly Part[], other: readonly Part[]): boolean {
  return one.length === other.length && behindCommon(one, other).length === 0
}

/** What the first list has behind the start that both share. */
function behindCommon(one: readonly Part[], other: readonly Part[]): readonly Part[] {
  const first = one.findIndex(({ digest }, index) => digest !== other[index]?.digest)
  return first < 0 ? [] : one.slice(first)
}

function fingerprintOf({ body, model, account, headers }: EndpointRequest): Fingerprint {
  const { tool_choice, thinking, context_management, output_config } = body
  const others = [tool_choice, thinking, context_management, output_config].map((value) => value ?? null)
  const sections: Record<Section, Part[]> = { tools: [], system: [], messages: [] }
  for (const { section, role, type, content } of layout(body, { format: 'anthropic', model }).segments) {
    sections[section].push({
      digest: digestOf(JSON.stringify([role, type, content])),
      bytes: Buffer.byteLength(content),
    })
  }
  return {
    account,
    model: JSON.stringify([model, body['speed'] ?? 'standard']),
    parameters: digestOf(JSON.stringify([...others, ...betasOf(headers)])),
    sections,
  }
}

function digestOf(content: string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22)
}
