/**
 * A request as its provider caches it: an ordered list of segments, and the parameters that scope the cache.
 *
 * Reading has two steps, because a conversation is sent again with every turn and only its end is new. `read` lists the
 * items of a body (a tool, a system block, a message) without looking into them; `split` turns one item into its
 * segments. Whoever has seen an item before does not split it again.
 */
import type { Json } from '../../base/json.ts'
import type { CacheTtl } from '../anthropic/breakpoints.ts'
import type { Rule } from '../rule.ts'

/** The body formats that are understood. */
export type RequestFormat = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini' | 'bedrock-converse'

/** Where a segment belongs, whatever its provider calls it: tools, instructions, conversation. */
export type Section = 'tools' | 'system' | 'messages'

/** How long a cache entry was asked to live. */
export type Lifetime = CacheTtl | '30m'

/** A place that the caller marked for caching: `cache_control`, `cachePoint`, `prompt_cache_breakpoint`. */
export interface Breakpoint {
  /** As asked; where the caller named none, the format's own. */
  readonly ttl: Lifetime
  /** Named by the caller, or placed by the provider because the caller asked for automatic caching. */
  readonly kind: 'explicit' | 'automatic'
}

/** The smallest unit that a provider can cache. */
export interface Segment {
  /** Where it stands in the body, as `messages[12].content[1]`; a string in place of a list of blocks is its block 0. */
  readonly path: string
  readonly section: Section
  /** Who speaks: the message's role, or `tool` and `system` for what stands before the messages. */
  readonly role: string
  /** The block's type, as `text`, `tool_use`, `image`; `tool` for a definition. */
  readonly type: string
  /** The text itself where the segment is text; canonical JSON without cache marks for everything else. */
  readonly content: string
  /** An estimate, which usage corrects. */
  readonly tokens: number
  readonly breakpoint: Breakpoint | null
}

/** A parameter that is not in the prompt, but without which an entry is not found again. */
export interface ScopeParameter {
  /** As `tool_choice`, `output_config.effort`, `model`. */
  readonly name: string
  /** `null` where the request leaves it out and the provider does not say what that means. */
  readonly value: Json
  /** The sections whose entries a change of it loses. */
  readonly invalidates: readonly Section[]
  readonly confidence: Rule['confidence']
}

/** A request in its provider's cache order. */
export interface Layout {
  readonly format: RequestFormat
  /** As the body or the caller names it; `undefined` where it stands in the URL only. */
  readonly model: string | undefined
  readonly segments: readonly Segment[]
  readonly scope: readonly ScopeParameter[]
  /** The sum of the segments' estimates. */
  readonly tokens: number
}

/** What a body does not say itself. */
export interface ReadOptions {
  /** Recognised by shape unless given. */
  readonly format?: RequestFormat | undefined
  /** For formats that name the model in the URL. */
  readonly model?: string | undefined
  /** OpenAI Responses: what `previous_response_id` stands for. Without it the chain is read from the request on. */
  readonly previousResponse?: ((id: string) => PreviousResponse | undefined) | undefined
  /** Gemini: the body that an explicit cache was created with. Without it the cache is one segment of unknown size. */
  readonly cachedContent?: ((name: string) => unknown) | undefined
}

/** An earlier call that a request builds on. */
export interface PreviousResponse {
  /** Its body, which may itself name an earlier one. */
  readonly request: unknown
  /** The output items that it answered with. */
  readonly output: readonly unknown[]
}

/** One element of a request that is replaced or kept as a whole: a tool, a system block, a message. */
export interface Item {
  readonly section: Section
  readonly role: string
  /** The list that it stands in, as `messages`, and where; index -1 is the list itself, when it is a bare value. */
  readonly list: string
  readonly index: number
  /** The element as it came. It is never changed, and it is compared by content. */
  readonly raw: unknown
  /** What besides `raw` decides its segments, as thinking that the provider strips from here. */
  readonly variant: string
  /** A mark that stands behind it rather than in it (Bedrock's `cachePoint` among system blocks and tools). */
  readonly mark: Breakpoint | null
}

/** A segment as it is cut from an item. */
export interface ItemSegment {
  /** Behind the item's own path, as `.content[1]`, or empty. */
  readonly path: string
  readonly type: string
  /** As in {@link Segment}. */
  readonly content: string
  /**
   * Continues the message before it rather than opening one. Where neighbours of one role are one message to the
   * provider, all of its segments do.
   */
  readonly joined: boolean
  readonly mark: Breakpoint | null
  /** May carry a breakpoint; automatic caching looks for the last that may. */
  readonly markable: boolean
  /** What to count in place of the content, where that holds the bytes of images or files. */
  readonly text?: string
  /** Tokens besides those of the text: images and files, by a rule of the format. */
  readonly tokens?: number
  /** Of a prepared segment: what {@link segmentKey} gives for it, so that it is put together once. */
  readonly key?: string
}

/** What tells a segment from others behind the same start. */
export function segmentKey(
  { section, role }: Pick<Item, 'section' | 'role'>,
  { key, joined, type, content }: Pick<ItemSegment, 'key' | 'joined' | 'type' | 'content'>,
): string {
  return key ?? `${joined ? '' : '+'}${section} ${role} ${type} ${content}`
}

/** A body, listed but not yet cut. */
export interface RequestItems {
  readonly format: RequestFormat
  readonly model: string | undefined
  /** In the provider's cache order. */
  readonly items: readonly Item[]
  readonly scope: readonly ScopeParameter[]
  /** Automatic caching was asked for: the breakpoint belongs on the last markable segment. */
  readonly automatic: Breakpoint | null
  /** Further cache settings of the body that a provider's rules look at, as `prompt_cache_options.mode`. */
  readonly settings: { readonly [name: string]: Json }
}

/** How one format is read. One per file, so that two can be read side by side. */
export interface FormatReader {
  readonly id: RequestFormat
  /** True when the body looks like this format and like no other. */
  recognises(body: { readonly [key: string]: unknown }): boolean
  /** Lists a body. Throws {@link RequestUnreadableError} on what is no request of this format. */
  read(body: { readonly [key: string]: unknown }, options: ReadOptions): RequestItems
  /** Cuts an item. Throws {@link RequestUnreadableError} on a malformed one. Never empty lists for an item that counts. */
  split(item: Item): readonly ItemSegment[]
  /** In which order the provider puts what, and how sure that is. */
  readonly order: Rule & {
    readonly sections: readonly Section[]
    /** Whether the order of keys in tool schemas and in tool inputs is content. */
    readonly keyOrder: { readonly schemas: boolean; readonly inputs: boolean }
  }
  /** Items of prepared requests: they are the same where they are one object, and are compared no further. */
  readonly prepared?: boolean
}
