/**
 * Rendering: the texts of a value, as they are sent and stored.
 *
 * Text of a source of `authority: 'user'` stands inside an `<outside-text>` tag, in baselines, updates and removals
 * alike, and no text of any source can open or close that tag.
 */
import { tagOpening } from '../base/tag-opening.ts'
import type { Decoded } from './decode.ts'
import { RendererError } from './errors.ts'
import type { Source } from './source.ts'
import type { SnapshotEntry } from './types.ts'

/** Applied to each rendered text before it is joined or stored: how a session escapes what has a meaning to it. */
export type RenderedTextFilter = (text: string) => string

/** The filter of those who need none. */
export const unfiltered: RenderedTextFilter = (text) => text

/** The text for a model that knows nothing of the source yet. Throws {@link RendererError}, as the next two do. */
export function renderBaseline({ source, current }: Decoded, filter: RenderedTextFilter): string {
  return render(source, 'baseline', filter, () => source.baseline(current))
}

/** The text for a model that was told `previous`. */
export function renderUpdate({ source, current }: Decoded, previous: unknown, filter: RenderedTextFilter): string {
  return render(source, 'update', filter, () => source.update(previous, current))
}

/**
 * What the snapshot keeps of a value that the model is being told, its removal text included, ready to be sent as it
 * is.
 */
export function admit({ source, value, current }: Decoded, filter: RenderedTextFilter): SnapshotEntry {
  const { removed, authority, producer } = source
  return Object.freeze({
    value,
    ...(removed && { removed: render(source, 'removed', filter, () => removed(current)) }),
    ...(authority === 'user' && { authority }),
    ...(producer !== undefined && { producer }),
  })
}

function render(
  source: Source<never>,
  renderer: RendererError['renderer'],
  filter: RenderedTextFilter,
  call: () => unknown,
): string {
  let text: unknown
  try {
    text = call()
  } catch (cause) {
    throw new RendererError(source.key, renderer, 'threw: a renderer takes every value of its codec', { cause })
  }
  if (typeof text !== 'string') {
    throw new RendererError(source.key, renderer, `returned a value of type ${typeof text}: return the text`)
  }
  // Providers refuse blank text, and what was once admitted is sent with every later request.
  if (text.trim() === '') {
    throw new RendererError(
      source.key,
      renderer,
      'returned an empty text: a source with nothing to tell yields `absent`',
    )
  }
  const safe = escapeOutsideTag(filter(text))
  return source.authority === 'user' ? `<outside-text source="${source.key}">\n${safe}\n</outside-text>` : safe
}

const outsideTag = tagOpening('outside-text')

function escapeOutsideTag(text: string): string {
  return text.replace(outsideTag, '&lt;')
}
