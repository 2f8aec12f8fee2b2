/**
 * A system prompt as one string with two halves: static text that a provider can cache, the boundary marker, and
 * dynamic text that may change every turn.
 *
 * The invariant: changing one half leaves every character of the other as it was. Both sides of the marker are spaced
 * with one blank line (`\n\n`); reading a prompt takes exactly that much away again, and nothing else is ever trimmed.
 * A half is empty when its length is 0. A prompt without a marker is all static; with several, the first one is the
 * boundary and the others are text of the dynamic half until the prompt is rendered.
 *
 * `extra` and `next` are used as they are, so a marker inside them acts as one: escape text from outside first, with
 * {@link escapeSystemPromptBoundary}.
 */
import { hasSystemPromptBoundary, SYSTEM_PROMPT_BOUNDARY } from './boundary.ts'

const BLANK_LINE = '\n\n'

/** The two halves of a system prompt, both without the boundary marker. */
export interface SystemPromptParts {
  /** The text before the marker, or the whole prompt when there is none. Cacheable. */
  static: string
  /** The text after the marker, or empty when there is none. Not cached. */
  dynamic: string
}

/**
 * Splits a system prompt at the first marker, less one `\n\n` directly on each side of it. Later markers stay in the
 * dynamic half. Without a marker the whole prompt is static, at the cost of one search.
 *
 * @example
 * ```ts
 * import { joinSystemPrompt, splitSystemPrompt } from 'indelible/prompt'
 *
 * const { static: fixed, dynamic } = splitSystemPrompt(joinSystemPrompt('You review code.', 'Branch: main'))
 * console.log(fixed)
 * // => You review code.
 * console.log(dynamic)
 * // => Branch: main
 * ```
 */
export function splitSystemPrompt(system: string): SystemPromptParts {
  const at = system.indexOf(SYSTEM_PROMPT_BOUNDARY)
  if (at === -1) return { static: system, dynamic: '' }
  return {
    static: withoutTrailingBlankLine(system.slice(0, at)),
    dynamic: withoutLeadingBlankLine(system.slice(at + SYSTEM_PROMPT_BOUNDARY.length)),
  }
}

/**
 * Composes a system prompt from its halves. Without a dynamic half there is no marker; without a static half the
 * prompt starts with the marker.
 *
 * @example
 * ```ts
 * import { joinSystemPrompt } from 'indelible/prompt'
 *
 * console.log(JSON.stringify(joinSystemPrompt('You review code.', 'Branch: main')))
 * // => "You review code.\n\n__ZIDANE_SYSTEM_PROMPT_BOUNDARY__\n\nBranch: main"
 * console.log(JSON.stringify(joinSystemPrompt('You review code.', '')))
 * // => "You review code."
 * ```
 */
export function joinSystemPrompt(staticPart: string, dynamicPart: string): string {
  if (dynamicPart === '') return staticPart
  return glue(staticPart, SYSTEM_PROMPT_BOUNDARY + BLANK_LINE + dynamicPart)
}

/**
 * Adds `extra` to the end of the static half, after a blank line. Text that stays the same for a whole run (a catalog
 * of skills) belongs there. The dynamic half stays as it is; a marker with nothing after it is dropped. An empty
 * `extra` returns `system` itself.
 *
 * @example
 * ```ts
 * import { appendStaticSection, joinSystemPrompt, splitSystemPrompt } from 'indelible/prompt'
 *
 * const system = appendStaticSection(joinSystemPrompt('You review code.', 'Branch: main'), 'Skills: refactor, test')
 * console.log(JSON.stringify(splitSystemPrompt(system).static))
 * // => "You review code.\n\nSkills: refactor, test"
 * console.log(splitSystemPrompt(system).dynamic)
 * // => Branch: main
 * ```
 */
export function appendStaticSection(system: string, extra: string): string {
  if (extra === '') return system
  const parts = splitSystemPrompt(system)
  return joinSystemPrompt(glue(parts.static, extra), parts.dynamic)
}

/**
 * Adds `extra` to the end of the dynamic half, after a blank line, and the marker where there was none. The static
 * half stays as it is. An empty `extra` returns `system` itself.
 *
 * @example
 * ```ts
 * import { appendDynamicSection, splitSystemPrompt } from 'indelible/prompt'
 *
 * const system = appendDynamicSection(appendDynamicSection('You review code.', 'Branch: main'), 'Selected: line 3')
 * console.log(splitSystemPrompt(system).static)
 * // => You review code.
 * console.log(JSON.stringify(splitSystemPrompt(system).dynamic))
 * // => "Branch: main\n\nSelected: line 3"
 * ```
 */
export function appendDynamicSection(system: string, extra: string): string {
  if (extra === '') return system
  const parts = splitSystemPrompt(system)
  return joinSystemPrompt(parts.static, glue(parts.dynamic, extra))
}

/**
 * Replaces the whole dynamic half with `next`, and leaves the static half as it is. An empty `next` drops the dynamic
 * half and the marker.
 *
 * @example
 * ```ts
 * import { joinSystemPrompt, replaceDynamicSection } from 'indelible/prompt'
 *
 * const system = joinSystemPrompt('You review code.', 'Branch: main')
 * console.log(replaceDynamicSection(system, 'Branch: fix') === joinSystemPrompt('You review code.', 'Branch: fix'))
 * // => true
 * console.log(replaceDynamicSection(system, ''))
 * // => You review code.
 * ```
 */
export function replaceDynamicSection(system: string, next: string): string {
  return joinSystemPrompt(splitSystemPrompt(system).static, next)
}

/**
 * The text that a provider is sent when it is sent one string: no marker is left in it. Each marker, the later ones
 * too, gives way to one blank line between the texts around it, less the `\n\n` that stood directly on each side; at
 * the start, at the end and next to another marker it leaves nothing. All other text stays, and the blank line keeps
 * the texts apart, so that no new marker forms out of what stood around an old one. A prompt without a marker is
 * returned as it is. The time is linear in the text, however many markers it holds.
 *
 * For a provider that caches the static half as a block of its own, render the halves of {@link splitSystemPrompt}:
 * the static half is free of markers, the dynamic half may hold later ones.
 *
 * @example
 * ```ts
 * import { joinSystemPrompt, renderSystemForWire } from 'indelible/prompt'
 *
 * console.log(JSON.stringify(renderSystemForWire(joinSystemPrompt('You review code.', 'Branch: main'))))
 * // => "You review code.\n\nBranch: main"
 * ```
 */
export function renderSystemForWire(system: string): string {
  if (!hasSystemPromptBoundary(system)) return system
  const texts = system.split(SYSTEM_PROMPT_BOUNDARY)
  const last = texts.length - 1
  return texts
    .map((text, index) => {
      const start = index === 0 ? text : withoutLeadingBlankLine(text)
      return index === last ? start : withoutTrailingBlankLine(start)
    })
    .filter((text) => text !== '')
    .join(BLANK_LINE)
}

/** Puts a blank line between two texts, and nothing next to an empty one. */
function glue(before: string, after: string): string {
  return before === '' || after === '' ? before + after : before + BLANK_LINE + after
}

function withoutLeadingBlankLine(text: string): string {
  return text.startsWith(BLANK_LINE) ? text.slice(BLANK_LINE.length) : text
}

function withoutTrailingBlankLine(text: string): string {
  return text.endsWith(BLANK_LINE) ? text.slice(0, -BLANK_LINE.length) : text
}
