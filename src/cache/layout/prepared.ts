/**
 * A request that was listed and cut before, so that it can be played many times without its body: the same element of
 * two requests is the same object, and is found by identity.
 *
 * Whoever prepares one decides what stands for a segment's content: a digest serves as well as the text, since nodes are
 * told apart by it and by nothing else. Only a cache of any common start compares texts, and then gets them by `text`.
 */
import type {
  Breakpoint,
  FormatReader,
  Item,
  ItemSegment,
  RequestFormat,
  RequestItems,
  ScopeParameter,
} from './types.ts'
import type { Json } from '../../base/json.ts'

/** The `raw` of an item of a prepared request. */
export interface PreparedItem {
  readonly segments: readonly ItemSegment[]
  /** The same, each with the text that it stands for. */
  readonly textSegments: readonly ItemSegment[]
}

/** An item whose segments are known. */
export interface PreparedPlace extends Item {
  readonly raw: PreparedItem
}

/** A request of which every item is cut. */
export class PreparedRequest implements RequestItems {
  readonly format: RequestFormat
  readonly model: string | undefined
  readonly items: readonly PreparedPlace[]
  readonly scope: readonly ScopeParameter[]
  readonly automatic: Breakpoint | null
  readonly settings: { readonly [name: string]: Json }
  /** For a cache that compares texts. */
  readonly texts: boolean

  constructor(
    request: Omit<RequestItems, 'items'> & { readonly items: readonly PreparedPlace[]; readonly texts: boolean },
  ) {
    this.format = request.format
    this.model = request.model
    this.items = request.items
    this.scope = request.scope
    this.automatic = request.automatic
    this.settings = request.settings
    this.texts = request.texts
  }
}

/** Cuts what is cut already; in all else like `reader`. */
export function preparedReader(reader: FormatReader, texts: boolean): FormatReader {
  const known = readers[texts ? 'texts' : 'digests']
  const made = known.get(reader) ?? {
    ...reader,
    prepared: true,
    split: ({ raw }) => (texts ? (raw as PreparedItem).textSegments : (raw as PreparedItem).segments),
  }
  known.set(reader, made)
  return made
}

const readers = { texts: new Map<FormatReader, FormatReader>(), digests: new Map<FormatReader, FormatReader>() }
