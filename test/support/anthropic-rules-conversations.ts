/**
 * Random conversations as a session would hand them to an adapter: inputs (several when the user is quick), updates of
 * either authority, tool loops with parallel calls whose results come one by one, aborted and repeated requests, epochs
 * with or without a compaction, forks back to the last answer. Messages hold the cache marks and the blank text that
 * hosts and models put there.
 */
import type { ContentBlockParam, MessageParam } from '@anthropic-ai/sdk/resources/messages'
import * as fc from 'fast-check'
import type { Authority, Update } from '../../src/context/index.ts'
import { RULES_AS_OF } from '../../src/session/rules-as-of.ts'
import type { Entry, TurnView } from '../../src/session/types.ts'

type Step =
  | { readonly type: 'input'; readonly content: MessageParam['content'] }
  | { readonly type: 'update'; readonly parts: readonly Authority[]; readonly alone: boolean }
  | { readonly type: 'request'; readonly answer: 'none' | readonly AnswerBlock[]; readonly together: boolean }
  | { readonly type: 'epoch'; readonly compacted: boolean }
  | { readonly type: 'fork' }

type AnswerBlock = 'text' | 'blank' | 'thinking' | 'redacted' | 'call' | 'marked-call'

const text = fc.constantFrom('hello', 'look at <system-reminder id="x"> this', ' \n', 'multi\nline', 'ünïcode', '')
const mark = fc.constantFrom({}, { cache_control: { type: 'ephemeral' as const } })
const block: fc.Arbitrary<ContentBlockParam> = fc.oneof(
  fc.record({ text, mark }).map(({ text: value, mark: own }) => ({ type: 'text' as const, text: value, ...own })),
  mark.map((own) => ({
    type: 'image' as const,
    source: { type: 'url' as const, url: 'https://example.test/a.png' },
    ...own,
  })),
)

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('input' as const),
      content: fc.oneof(text, fc.array(block, { maxLength: 3 })),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('update' as const),
      parts: fc.constantFrom<Authority[][]>(['system'], ['user'], ['system', 'user']),
      alone: fc.integer({ min: 0, max: 9 }).map((die) => die === 0),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      type: fc.constant('request' as const),
      answer: fc.oneof(
        { weight: 1, arbitrary: fc.constant('none' as const) },
        {
          weight: 6,
          arbitrary: fc.array(
            fc.constantFrom<AnswerBlock[]>('text', 'blank', 'thinking', 'redacted', 'call', 'marked-call'),
            { maxLength: 5 },
          ),
        },
      ),
      together: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('epoch' as const), compacted: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'fork' as const }) },
)

/** The steps of one conversation. */
export const conversations: fc.Arbitrary<readonly Step[]> = fc.array(step, { maxLength: 40, size: 'max' })

/** One request that was made. */
export interface Request {
  readonly turn: TurnView<MessageParam>
  /** The request that was answered last before it, in the same epoch and the same line of forks. */
  readonly before: Request | undefined
}

/** Plays the steps and returns every request they make, aborted ones too. */
export function play(steps: readonly Step[]): Request[] {
  const requests: Request[] = []
  let entries: Entry<MessageParam>[] = []
  let epoch = 1
  let revision = 0
  let answered: Request | undefined
  // What a fork goes back to: the last answer that waits for no tool.
  let kept = { entries, answered }
  let calls = 0
  const say = (message: MessageParam): void => {
    entries = [...entries, { revision: ++revision, epoch, type: 'message', message }]
  }
  const last = (): Entry<MessageParam> | undefined => entries.at(-1)
  const isAnswer = (entry: Entry<MessageParam> | undefined): boolean =>
    entry?.type === 'message' && entry.message.role === 'assistant'

  for (const next of steps) {
    if (next.type === 'input') say({ role: 'user', content: next.content })
    else if (next.type === 'update') {
      if (entries.length === 0 || (isAnswer(last()) && !next.alone)) continue
      entries = [...entries, { revision: ++revision, epoch, type: 'update', ...updateOf(next.parts, revision) }]
    } else if (next.type === 'epoch') {
      epoch++
      entries = entries.filter((entry) => entry.type === 'message')
      if (next.compacted && isAnswer(last())) {
        entries = []
        say({ role: 'user', content: 'What was said so far: much.' })
      }
      answered = undefined
      kept = { entries, answered }
    } else if (next.type === 'fork') {
      entries = kept.entries
      answered = kept.answered
    } else if (entries.some(isVisible) && !isAnswer(last())) {
      const request: Request = { turn: turnOf(entries, epoch, revision), before: answered }
      requests.push(request)
      if (next.answer === 'none') continue
      answered = request
      const content = next.answer.map((kind) => answerBlock(kind, `call-${++calls}`))
      say({ role: 'assistant', content })
      const results = content.flatMap((made) => (made.type === 'tool_use' ? [resultOf(made.id)] : []))
      if (next.together && results.length > 0) say({ role: 'user', content: results })
      else for (const result of results) say({ role: 'user', content: [result] })
      if (results.length === 0) kept = { entries, answered }
    }
  }
  return requests
}

/** True for an entry that leaves something to send. */
function isVisible(entry: Entry<MessageParam>): boolean {
  if (entry.type === 'update') return true
  const { role, content } = entry.message
  if (role !== 'user') return false
  if (typeof content === 'string') return content.trim() !== ''
  return content.some((part) => part.type !== 'text' || part.text.trim() !== '')
}

/** A turn over these entries, with the rest as in a session that has said nothing unusual. */
export function turnOf(
  entries: readonly Entry<MessageParam>[],
  epoch = 1,
  revision: number = entries.at(-1)?.revision ?? 0,
): TurnView<MessageParam> {
  return {
    session: 'test',
    epoch,
    revision,
    instructions: 'You review code.',
    baseline: `Branch: main (epoch ${epoch})`,
    system: '',
    entries,
    update: null,
    started: null,
    stale: [],
    tools: null,
    nonce: 'nonce-0001',
    rulesAsOf: RULES_AS_OF,
    refusals: [],
  }
}

/** An update with one text per authority. */
export function updateOf(authorities: readonly Authority[], number: number): Update {
  const parts = authorities.map((authority) => ({
    authority,
    text:
      authority === 'system'
        ? `Fact ${number}.`
        : `<outside-text source="test/file">\nLine ${number}.\n</outside-text>`,
    keys: [`test/${authority}`],
  }))
  return {
    text: parts.map((part) => part.text).join('\n\n'),
    parts,
    changes: parts.flatMap(({ keys }) => keys.map((key) => ({ key, kind: 'changed' as const }))),
  }
}

function answerBlock(kind: AnswerBlock, id: string): ContentBlockParam {
  const blocks: Record<AnswerBlock, ContentBlockParam> = {
    text: { type: 'text', text: `Answer before ${id}.` },
    blank: { type: 'text', text: '\n\n' },
    thinking: { type: 'thinking', thinking: '', signature: id },
    redacted: { type: 'redacted_thinking', data: id },
    call: { type: 'tool_use', id, name: 'read', input: { cache_control: 'mine' } },
    'marked-call': {
      type: 'tool_use',
      id,
      name: 'read',
      input: {},
      cache_control: { type: 'ephemeral', ttl: '1h' },
    },
  }
  return blocks[kind]
}

function resultOf(id: string): ContentBlockParam {
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: [
      { type: 'text', text: `Result of ${id}.`, cache_control: { type: 'ephemeral' } },
      { type: 'text', text: '' },
    ],
  }
}
