/**
 * Texts out of logs as string literals: the only form in which they enter code. Whatever a text holds, its literal is one
 * line, ends where its quote ends, shows what is in it, and ends no comment, script or template that it is pasted into.
 */
import { escapeInvisible } from '../../base/invisible.ts'

// Control characters, lone surrogates, what ends a literal; then what means something to HTML, a comment or a template.
const ESCAPED = /[\p{Cc}\p{Cs}'\\`]|<(?=[/!])|(?<=\*)\/|\$(?=\{)/gu

const NAMED: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  "'": "\\'",
  '\\': '\\\\',
  '`': '\\`',
  '/': '\\/',
  $: '\\$',
}

/** `text` as a string literal of TypeScript, which evaluates to it. */
export function quote(text: string): string {
  const literal = text.replace(ESCAPED, (character) => NAMED[character] ?? escapeUnit(character.charCodeAt(0)))
  return `'${escapeInvisible(literal)}'`
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}
