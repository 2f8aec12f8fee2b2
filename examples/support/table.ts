/** The one thing that an example prints: a line for each request. */

/** One request. Tokens are missing where it was given up. */
export interface Row {
  readonly turn: number
  readonly sent?: number | undefined
  readonly read?: number | undefined
  readonly readable?: number | undefined
  readonly changed: readonly string[]
}

export function printTable(rows: readonly Row[]): void {
  const lines = [
    ['turn', 'sent', 'read', 'readable', 'changed'],
    ...rows.map(({ turn, sent, read, readable, changed }) => [
      String(turn),
      ...[sent, read, readable].map((tokens) => tokens?.toLocaleString('en-US') ?? '-'),
      changed.join(' '),
    ]),
  ]
  for (const [turn = '', sent = '', read = '', readable = '', changed = ''] of lines) {
    const cells = [turn.padStart(4), sent.padStart(7), read.padStart(7), readable.padStart(9), `  ${changed}`]
    process.stdout.write(`${cells.join('').trimEnd()}\n`)
  }
}
