/**
 * From entries to items of Responses. A span is what stands between two answers: results next to their calls, then what users
 * said, with a native update and appended tools before the last of it and tagged updates behind it, in a message of their own:
 * what was cached is found at the ends of messages, so none may grow when an aborted request is sent again.
 *
 * The odd case is a span without a user message (a tool loop): there the update stands behind the results, marked where marks
 * are taken, because no later message covers it.
 */
import type { ResponseInputItem, Tool as ResponseTool } from 'openai/resources/responses/responses'
import type { OpenAIPlatform } from '../../../cache/index.ts'
import type { Entry, Tool } from '../../../session/types.ts'
import { lowerUpdates, spansOf, type Span, type SpanUpdates } from '../../spans.ts'
import { toolIds } from '../../../session/tools.ts'
import type { MarkRules } from '../breakpoints.ts'
import { markedContent, markLast } from '../parts.ts'
import { splitAtUpdate, systemRole } from '../updates.ts'
import { bareItem, openAIResponsesFormat } from './format.ts'

type Item = ResponseInputItem

const toolId = toolIds(openAIResponsesFormat)

/** How the entries of one turn are lowered. */
export interface ItemRules {
  readonly platform: OpenAIPlatform
  readonly nonce: string
  /** Updates with the system's authority go out as messages of their own. */
  readonly native: boolean
  /** Tools that were appended go out as items. */
  readonly tools: boolean
  readonly marks: MarkRules
}

/** What lowering could not do as asked, counted, and what was defined so far. */
export interface ItemTally {
  tagged: number
  blank: number
  /** Ids of the tools that the model has a definition of. */
  readonly defined: Set<string>
  /** Ids of appended tools that were not sent: all of them, or those that would stand beside an older definition. */
  readonly held: Set<string>
  readonly replaced: Set<string>
}

/** The tally of a conversation that begins with `frozen` tools. */
export function startTally(frozen: readonly Tool[]): ItemTally {
  return { tagged: 0, blank: 0, defined: new Set(frozen.map(toolId)), held: new Set(), replaced: new Set() }
}

/** The items behind the leading ones, oldest first. Items that need no change are the entries' own. */
export function lowerItems(entries: readonly Entry<Item>[], rules: ItemRules, tally: ItemTally): Item[] {
  const items: Item[] = []
  for (const span of spansOf(entries, (item) => openAIResponsesFormat.kind(item) === 'assistant')) {
    const said = lowerSpan(span, rules, tally)
    const isMarked = span.answer === undefined ? rules.marks.open : rules.marks.answered
    items.push(...(isMarked ? markLast(said, marked) : said))
    if (span.answer !== undefined) items.push(bareItem(span.answer.message))
  }
  return items
}

function lowerSpan({ inputs, updates }: Span<Item>, rules: ItemRules, tally: ItemTally): Item[] {
  const lowered = lowerUpdates(updates, { native: rules.native, nonce: rules.nonce })
  tally.tagged += lowered.degraded
  tally.blank += lowered.blank
  const told = toldItems(lowered, rules, tally)
  const { before, last, after } = splitAtUpdate(inputs, kindOf)
  const said = before.map(bareItem)
  const tagged: Item[] =
    lowered.tagged.length === 0 ? [] : [{ type: 'message', role: 'user', content: lowered.tagged.join('\n\n') }]
  if (last !== undefined) return [...said, ...told, bareItem(last), ...after.map(bareItem), ...tagged]
  const covered = tagged.length > 0 || !rules.marks.updates
  return [...said, ...(covered ? told : told.map(marked)), ...tagged]
}

/** The tools that came with the updates, and the text as a message of the system's: it can be marked, an item of tools cannot. */
function toldItems({ native, added }: SpanUpdates, rules: ItemRules, tally: ItemTally): Item[] {
  const items: Item[] = []
  const tools = newTools(added, rules, tally) as readonly unknown[] as ResponseTool[]
  if (tools.length > 0) items.push({ type: 'additional_tools', role: 'developer', tools })
  if (native.length > 0) {
    items.push({ type: 'message', role: systemRole(rules.platform), content: native.join('\n\n') })
  }
  return items
}

/** Of the tools of a span, the newest definition of each that none before it has. */
function newTools(added: readonly Tool[], rules: ItemRules, tally: ItemTally): readonly Tool[] {
  const sent: Tool[] = []
  for (const [id, tool] of new Map(added.map((one) => [toolId(one), one]))) {
    if (!rules.tools) tally.held.add(id)
    // Which of two definitions of one name would hold, nobody says.
    else if (tally.defined.has(id)) tally.replaced.add(id)
    else {
      sent.push(tool)
      tally.defined.add(id)
    }
  }
  return sent
}

function kindOf(item: Item): 'user' | 'result' | 'other' {
  if (openAIResponsesFormat.kind(item) === 'tool-result') return 'result'
  return 'role' in item && item.role === 'user' ? 'user' : 'other'
}

/** The item with a mark at its end, or itself where it takes none. */
export function marked<I extends Item>(item: I): I {
  const key = 'role' in item ? 'content' : isTextOutput(item) ? 'output' : undefined
  if (key === undefined) return item
  const content = markedContent((item as unknown as Record<string, unknown>)[key], 'input_text')
  return content === undefined ? item : ({ ...item, [key]: content } as unknown as I)
}

/** Of other results the string is data of its own kind, which cannot be written as parts. */
function isTextOutput({ type }: Item): boolean {
  return type === 'function_call_output' || type === 'custom_tool_call_output'
}
