/** What an adapter throws on purpose. What a provider merely cannot do is a warning in its result, never an error. */
import { IndelibleError } from '../base/error.ts'

/** There is no legal request to build from this turn and these parameters. */
export class RequestInvalidError extends IndelibleError {
  constructor(message: string) {
    super('request_invalid', message)
  }
}
