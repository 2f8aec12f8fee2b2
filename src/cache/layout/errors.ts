/** What reading a request body throws. */
import { IndelibleError } from '../../base/error.ts'

/** The body is no request of the format, or not one that can be read: says where, what was expected and what was found. */
export class RequestUnreadableError extends IndelibleError {
  /** Where in the body, as `messages[3].content`; empty for the body itself. */
  readonly path: string
  /** What the format has there. */
  readonly expected: string
  /** What stands there, in a few words. */
  readonly found: string

  constructor(path: string, expected: string, found: unknown) {
    const described = describe(found)
    super('request_unreadable', `${path === '' ? 'The request body' : path} is ${described}; expected ${expected}.`)
    this.path = path
    this.expected = expected
    this.found = described
  }
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'string')
    return value === '' ? 'an empty string' : `the string ${JSON.stringify(shorten(value))}`
  if (typeof value === 'object') return `an object with ${Object.keys(value).slice(0, 5).join(', ') || 'no keys'}`
  return `the ${typeof value} ${JSON.stringify(value)}`
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}
