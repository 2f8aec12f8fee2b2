/**
 * Tools that came after the list was frozen, as options of a system message, which is how provider packages take them: Claude's
 * as changes that define by value, OpenAI's Responses as a message of nothing but tools. When a tool may be told of, and which
 * definition gives way to which, is the same as without the SDK.
 */
import type { Tool, ToolChanges, TurnView } from '../../session/types.ts'
import { InlineTools } from '../anthropic/inline-tools.ts'
import type { FallbackReason, LoweringWarning } from '../warnings.ts'
import { withoutMark, type ProviderOptions } from './provider-options.ts'
import type { PackageRule } from './target.ts'

/** One step of what `InlineTools` gives: a definition, or the removal of one that it replaces. */
interface Directive {
  readonly type: 'tool_addition' | 'tool_removal'
  readonly tool: { readonly name?: string; readonly definition?: Tool }
}

/** The appended tools of one conversation, as it is gone through. */
export class AppendedTools {
  readonly #inline: InlineTools
  readonly #way: PackageRule['tools']
  /** Ids of tools that could not be sent, because another definition of their name stands before, or for what they are. */
  readonly #replaced = new Set<string>()
  readonly #foreign = new Set<string>()

  /** `way`: how the package takes them, `null` where they are held. */
  constructor(frozen: readonly Tool[], way: PackageRule['tools']) {
    this.#inline = new InlineTools(frozen)
    this.#way = way
  }

  /** Notes what an update did. */
  note(changes: ToolChanges): void {
    this.#inline.note(changes)
  }

  /** What a system message at this place has for options, without the provider's name; `undefined` where nothing waits. */
  take(): ProviderOptions[string] | undefined {
    if (this.#way === null || this.#inline.idle) return undefined
    const directives = this.#inline.take() as unknown as readonly Directive[]
    const options =
      this.#way === 'toolChanges' ? { toolChanges: directives.map(toChange) } : this.#additional(directives)
    return Object.values(options)[0]!.length === 0 ? undefined : (options as unknown as ProviderOptions[string])
  }

  /** Which of two definitions of one name would hold, OpenAI does not say; and only functions can be written in its way. */
  #additional(directives: readonly Directive[]): { additionalTools: object[] } {
    const gone = new Set(directives.flatMap(({ type, tool }) => (type === 'tool_removal' ? [tool.name] : [])))
    const additionalTools: object[] = []
    for (const { definition } of directives.map(({ tool }) => tool)) {
      if (definition === undefined) continue
      const name = String(definition['name'])
      if (gone.has(name)) this.#replaced.add(name)
      else if (definition['type'] !== 'function') this.#foreign.add(name)
      else additionalTools.push(toFunction(definition))
    }
    return { additionalTools }
  }

  /** What of it was not sent. `reason`: why tools are held, where they all are. */
  warnings({ tools }: Pick<TurnView<never>, 'tools'>, reason: 'supported' | FallbackReason): LoweringWarning[] {
    const held = (ids: Iterable<string>, why: FallbackReason): LoweringWarning[] => {
      const all = new Set(ids)
      const callable = (tools?.callable ?? []).filter((id) => all.has(id))
      return callable.length === 0 ? [] : [{ type: 'tools-held', reason: why, ids: callable }]
    }
    return [
      ...held(this.#inline.waiting(true), reason === 'supported' ? 'placement' : reason),
      ...held(this.#replaced, 'placement'),
      ...held(this.#foreign, 'unsupported'),
    ]
  }
}

function toChange({ type, tool }: Directive): object {
  if (tool.definition === undefined) return { type, toolName: tool.name }
  return { type, tool: withoutMark(tool.definition) }
}

/** As the package writes a function of its own list. */
function toFunction({ name, description, inputSchema, strict }: Tool): object {
  return {
    type: 'function',
    name,
    ...(description !== undefined && { description }),
    parameters: inputSchema,
    ...(strict !== undefined && { strict }),
  }
}
