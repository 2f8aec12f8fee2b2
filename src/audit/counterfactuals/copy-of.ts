/** A prepared request with some of it replaced. */
import { PreparedRequest } from '../../cache/layout/prepared.ts'

/** `request` with what `over` has in place of its own. */
export function copyOf(request: PreparedRequest, over: Partial<PreparedRequest>): PreparedRequest {
  const { format, model, items, scope, automatic, settings, texts } = request
  return new PreparedRequest({ format, model, items, scope, automatic, settings, texts, ...over })
}
