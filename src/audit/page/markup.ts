/**
 * Elements as data: a page is written from them, and its script builds the same elements from their JSON.
 *
 * Text gets in at two places only, children and values of attributes, and both go through {@link visibleText}. Tags and
 * names of attributes are ours.
 */
import { visibleText } from './visible-text.ts'

/** An element, or a text. */
export type Markup = string | readonly [tag: string, attributes: Attributes, children: readonly Markup[]]

/** Values by their names. */
type Attributes = Readonly<Record<string, string>>

/** What may stand in an element: a number is its digits, and null is nothing. */
export type Child = Markup | number | null

/** An element. Attributes that are `undefined` are left out. */
export function element(
  tag: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  ...children: readonly Child[]
): Markup {
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) values[name] = visibleText(String(value))
  }
  const shown = children.filter((child) => child !== null)
  return [tag, values, shown.map((child) => (typeof child === 'object' ? child : visibleText(String(child))))]
}

/** Elements that have no end. */
const VOID: ReadonlySet<string> = new Set(['br', 'input', 'wbr'])

/** HTML that is read as `markup` again, and as no element more. */
export function toHtml(markup: Markup): string {
  if (typeof markup === 'string') return escapeHtml(markup)
  const [tag, attributes, children] = markup
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
  const start = `<${tag}${written.join('')}>`
  return VOID.has(tag) ? start : `${start}${children.map(toHtml).join('')}</${tag}>`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** `text` as the content of an element, or as the value of an attribute in quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}

/** JSON that may stand in a `script` element: nothing in it ends the element, or begins a comment. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
