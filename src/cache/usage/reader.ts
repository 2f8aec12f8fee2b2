/** What every family of reports implements, so that `readUsage` treats them alike. */
import type { Usage } from '../../base/usage.ts'
import type { Fields } from './fields.ts'

/** The lifetime of a cache write. */
export type WriteTtl = '5m' | '30m' | '1h'

/** What a report does not say itself. */
export interface ReadOptions {
  /** The lifetime that was asked for: of writes that the report does not split by lifetime. */
  readonly ttl?: WriteTtl | undefined
  /** The model that answered, as the provider calls it. */
  readonly model?: string | undefined
}

/** One report, and where it stood. */
export interface Report {
  /** The object with the counts. */
  readonly usage: Fields
  /** The response or event that it stood in; the report itself when it came bare. */
  readonly carrier: Fields
}

/** One family: providers whose reports have the same fields. */
export interface UsageReader {
  /** True when the fields are those of this family and no other's. */
  recognises(usage: Fields): boolean
  /** Puts the reports of one answer together; at least one, in the order in which they came. */
  read(reports: readonly [Report, ...Report[]], options: ReadOptions): Usage
}
