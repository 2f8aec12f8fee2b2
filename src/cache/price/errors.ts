/** What the loaders of price tables throw on purpose. */
import { IndelibleError } from '../../base/error.ts'

/** A document is no price table of the format that it was loaded as. */
export class PricesUnreadableError extends IndelibleError {
  /** The format that was expected. */
  readonly format: string

  constructor(format: string, expected: string) {
    super(
      'prices_unreadable',
      `The document is not ${format}: expected ${expected}. Pass the parsed JSON of that format.`,
    )
    this.format = format
  }
}
