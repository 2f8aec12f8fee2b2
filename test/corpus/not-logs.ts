/** Files that lie beside recordings and hold none. Any other file without a call has to say what keeps it from being read. */

/** What a file is, told by its name. */
export interface NotALog {
  /** On the path relative to the folder. */
  readonly name: RegExp
  /** One line for people. */
  readonly why: string
}

export const notLogs: readonly NotALog[] = [
  { name: /^usage\.csv$/, why: 'the table that this run compares with' },
  { name: /(?:^|\/)(?:INDEX|README|LICEN[CS]E)(?:\.\w+)?$/i, why: 'a text about the recordings' },
  { name: /\.schema\.json$/, why: 'a JSON schema, no traffic' },
]
