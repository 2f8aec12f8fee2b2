/**
 * Thinking blocks are bound to the conversation that they were produced in.
 *
 * Each block that the emulator emits is signed for the prefix that it answers: tools, system prompt and all earlier
 * messages, without cache marks and without thinking, and for the thinking block before it. So thinking may be taken from
 * the front, from the end or altogether, and not from the middle. On models that bind, a block that comes back under
 * another prefix is refused or dropped, as the request asks; on other models, and on accounts older than the check (here:
 * unless strict), it is let through, and reported where reports are asked for.
 *
 * Signatures that this emulator did not make are taken on trust: real ones cannot be read by anyone but the provider.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Json } from '../../base/json.ts'
import { anthropicBetas } from '../../cache/anthropic/betas.ts'
import { capability, newestRule } from '../../cache/capability.ts'
import { layout } from '../../cache/layout/layout.ts'
import type { Segment } from '../../cache/layout/types.ts'
import { fields, list, text, type Fields } from '../fields.ts'
import type { EndpointRequest } from '../types.ts'
import { betasOf } from './betas.ts'
import { isThinking, placedMessages } from './blocks.ts'

/** The signing and checking of one emulator. */
export interface Thinking {
  /** The signature of a thinking block that answers this request. */
  sign(request: EndpointRequest, thinking: string): string
  /** Why the request is refused, in the API's words. */
  check(request: EndpointRequest): string | null
  /** The body without the blocks that are dropped; the same reference where none is. */
  edit(request: EndpointRequest): EndpointRequest['body']
  /** `input_transformations` of the answer; undefined where the request does not ask for them. */
  transformations(request: EndpointRequest): Json | undefined
}

/** A signature as it is read back. */
interface Signed {
  /** Digest of the prefix. */
  readonly prefix: string
  /** Digest of the thinking block before, empty for none. */
  readonly link: string
  readonly authentic: boolean
}

/** What a walk along a conversation finds. */
interface Findings {
  /** Blocks under another prefix, as `messages.1.content.0`. */
  readonly mismatched: readonly string[]
  /** Blocks that were edited themselves. */
  readonly forged: readonly string[]
  /** At the end of the conversation. */
  readonly prefix: string
  readonly link: string
}

const marker = Buffer.from('indelible-thinking')
const digestBytes = 16

/** A key of its own: blocks of another emulator are foreign to this one. */
export function createThinking(): Thinking {
  const key = randomBytes(32)
  const keyId = createHash('sha256').update(key).digest().subarray(0, digestBytes)
  const found = new WeakMap<EndpointRequest, Findings>()

  const mac = (payload: Buffer, thinking: string): Buffer =>
    createHmac('sha256', key).update(payload).update(thinking).digest().subarray(0, digestBytes)

  function read({ signature, thinking }: Fields): Signed | null {
    const bytes = Buffer.from(text(signature) ?? '', 'base64')
    const head = Buffer.concat([marker, keyId])
    if (bytes.length !== head.length + 3 * digestBytes || !bytes.subarray(0, head.length).equals(head)) return null
    const payload = bytes.subarray(head.length, head.length + 2 * digestBytes)
    const expected = mac(payload, text(thinking) ?? '')
    return {
      prefix: payload.subarray(0, digestBytes).toString('hex'),
      link: payload.subarray(digestBytes).toString('hex'),
      authentic: timingSafeEqual(bytes.subarray(-digestBytes), expected),
    }
  }

  function walk(request: EndpointRequest): Findings {
    const known = found.get(request)
    if (known !== undefined) return known
    const findings = walkBody(request, read)
    found.set(request, findings)
    return findings
  }

  /** Only a walk costs anything, so it is not taken for a conversation without a block that we signed. */
  function mismatches(request: EndpointRequest): Findings | null {
    if (!binds(request.model)) return null
    const signed = placedMessages(request.body).some(({ blocks }) =>
      blocks.some(({ block }) => block['type'] === 'thinking' && read(block) !== null),
    )
    return signed ? walk(request) : null
  }

  return {
    sign(request, thinking) {
      const { prefix, link } = walk(request)
      const payload = Buffer.concat([Buffer.from(prefix, 'hex'), Buffer.from(link, 'hex')])
      return Buffer.concat([marker, keyId, payload, mac(payload, thinking)]).toString('base64')
    },
    check(request) {
      const findings = mismatches(request)
      const forged = findings?.forged[0]
      if (forged !== undefined) return `${forged}: Invalid \`signature\` in \`thinking\` block`
      const mismatched = findings?.mismatched[0]
      if (mismatched === undefined || behaviour(request) === 'drop_block') return null
      return `${mismatched}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block". That setting requires the \`${anthropicBetas.thinkingBinding.header}\` value in the \`anthropic-beta\` header.`
    },
    edit(request) {
      if (behaviour(request) !== 'drop_block') return request.body
      const mismatched = mismatches(request)?.mismatched ?? []
      return mismatched.length === 0 ? request.body : withoutBlocks(request.body, mismatched)
    },
    transformations(request) {
      if (!betasOf(request.headers).includes(anthropicBetas.thinkingBinding.header)) return undefined
      const type = behaviour(request) === 'drop_block' ? 'thinking_dropped' : 'thinking_mismatch_allowed'
      return (mismatches(request)?.mismatched ?? []).map((path) => ({ type, path, reason: 'prefix_binding_mismatch' }))
    },
  }
}

function binds(model: string): boolean {
  return capability({ model, platform: 'anthropic', feature: 'thinking-binding', asOf: newestRule })?.supported === true
}

function behaviour({ body }: EndpointRequest): unknown {
  return fields(fields(body['thinking'])['block_binding'])['prefix_mismatch_behavior']
}

/** Holds each thinking block against what stands before it. A block that fails is no link for those after it. */
function walkBody({ body }: EndpointRequest, read: (block: Fields) => Signed | null): Findings {
  const mismatched: string[] = []
  const forged: string[] = []
  const none = '0'.repeat(2 * digestBytes)
  const prefix = createHash('sha256')
  const current = (): string =>
    prefix
      .copy()
      .digest('hex')
      .slice(0, 2 * digestBytes)
  let link = none
  for (const segment of layout(asItWas(body), { format: 'anthropic' }).segments) {
    if (!isThinking(segment)) {
      prefix.update(JSON.stringify([segment.section, segment.role, segment.type, contentOf(segment)]))
      continue
    }
    const path = segment.path.replaceAll(/\[(\d+)\]/g, '.$1')
    const block = fields(JSON.parse(segment.content))
    const signed = read(block)
    if (signed !== null && !signed.authentic) forged.push(path)
    else if (signed !== null && (signed.prefix !== current() || (link !== none && signed.link !== link))) {
      mismatched.push(path)
    } else
      link = createHash('sha256')
        .update(segment.content)
        .digest('hex')
        .slice(0, 2 * digestBytes)
  }
  return { mismatched, forged, prefix: current(), link }
}

/** System messages of one turn are sent again after it, and stood before what the turn produced. */
function asItWas(body: EndpointRequest['body']): Fields {
  const messages = list(body['messages']).map((message) => {
    const { clear_at: clearAt, ...lasting } = fields(message)
    return clearAt === undefined ? message : lasting
  })
  // Some models leave earlier thinking out of the prompt; what a block is bound to does not depend on who reads it next.
  return { ...body, model: undefined, messages }
}

/** A signed URL may be rotated as long as it serves the same bytes; what it serves we cannot know. */
function contentOf({ type, content }: Segment): string {
  return showing.has(type) ? content.replaceAll(/("url":"[^"?#]*)[?#][^"]*/g, '$1') : content
}

/** Segments that may hold a URL; text that spells one is escaped in them. */
const showing = new Set(['image', 'document', 'tool_result'])

function withoutBlocks(body: EndpointRequest['body'], paths: readonly string[]): EndpointRequest['body'] {
  const messages = list(body['messages']).map((message, index) => {
    const { content } = fields(message)
    if (!Array.isArray(content)) return message
    const kept = content.filter((_, at) => !paths.includes(`messages.${index}.content.${at}`))
    return kept.length === content.length ? message : { ...fields(message), content: kept }
  })
  return { ...body, messages }
}
