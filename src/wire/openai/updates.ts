/** Where updates of a span go, for both APIs: the same order, whatever the messages are made of. */
import type { OpenAIPlatform } from '../../cache/index.ts'

/** True for OpenAI's own API and Azure's, of which the rules for OpenAI's models are known. */
export function isOpenAIs(platform: OpenAIPlatform): boolean {
  return platform === 'openai' || platform === 'azure'
}

/** The role that speaks with the system's authority. Of OpenAI's models, those from o1 on prefer `developer`; all take it. */
export function systemRole(platform: OpenAIPlatform): 'developer' | 'system' {
  return isOpenAIs(platform) ? 'developer' : 'system'
}

/**
 * Splits what was said in a span at the place of its native update: before the last user message, so that the implicit
 * breakpoint at that message's end covers it, and otherwise at the end. Results stay next to their calls, ahead of all.
 */
export function splitAtUpdate<M>(
  inputs: readonly M[],
  kindOf: (message: M) => 'user' | 'result' | 'other',
): { readonly before: readonly M[]; readonly last: M | undefined; readonly after: readonly M[] } {
  const results = inputs.filter((message) => kindOf(message) === 'result')
  const others = inputs.filter((message) => kindOf(message) !== 'result')
  const at = others.findLastIndex((message) => kindOf(message) === 'user')
  if (at < 0) return { before: [...results, ...others], last: undefined, after: [] }
  return { before: [...results, ...others.slice(0, at)], last: others[at], after: others.slice(at + 1) }
}
