/** Whose rules a body falls under, where nobody says who answered it. */
import type { RequestFormat } from '../cache/index.ts'
import { providerOf } from '../cache/providers/provider-of.ts'

/** The simulator's name for it: by the format, and by the vendor of the model where several serve that format. */
export function providerFor(format: RequestFormat, model = ''): string {
  switch (format) {
    case 'anthropic':
      return 'anthropic'
    case 'bedrock-converse':
      return 'bedrock'
    case 'gemini':
      return 'gemini'
    default:
      return providerOf(model)
  }
}
