/**
 * One HTTP exchange as a recorder kept it, whatever its file looks like.
 *
 * Nothing is interpreted here: which provider it was, and whether it was a model call at all, is decided by
 * {@link ./calls.ts}. What a recorder did not keep is `undefined` or empty.
 */

/** A request and what came back. */
export interface Exchange {
  /** Its place in the file, from 0, counting exchanges that are no model calls too. */
  readonly index: number
  /** Empty where the recorder kept only paths. */
  readonly host: string
  /** Without the query; empty where the recorder kept only bodies. */
  readonly path: string
  /** Parsed where it is JSON. */
  readonly request: unknown
  /** Parsed where it is JSON; the text of an event stream, or its events where the recorder parsed them. */
  readonly response: unknown
  readonly status: number | undefined
  /** When the request started, in milliseconds since the epoch, where the recorder noted it. */
  readonly startedAt: number | undefined
  /** The `Date` header of the response. */
  readonly date: string | undefined
}

/** Reads one kind of recording. */
export interface RecordingReader {
  readonly name: string
  /** True when the documents of a file (one for JSON, one per line or YAML document else) look like this kind. */
  recognises(documents: readonly unknown[]): boolean
  read(documents: readonly unknown[]): readonly Exchange[]
}

/** Host and path of an address; both empty where it is none. */
export function addressOf(url: unknown): Pick<Exchange, 'host' | 'path'> {
  if (typeof url !== 'string' || !URL.canParse(url)) return { host: '', path: '' }
  const { hostname, pathname } = new URL(url)
  return { host: hostname, path: decodeURIComponent(pathname) }
}

/** The value of a header in an object of strings or of lists of strings, whatever the case of its name. */
export function headerOf(headers: unknown, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] as unknown
  const value: unknown = Array.isArray(found) ? found[0] : found
  return typeof value === 'string' ? value : undefined
}
