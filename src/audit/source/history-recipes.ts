/** Changes to what is sent of the conversation so far. */
import type { JoinedRecipe } from './types.ts'

export const answers: JoinedRecipe = {
  name: 'answers',
  joined: true,
  gives: 'function',
  imports: {},
  write: (variable) => `/**
 * The conversation and the answer as it came: ids, order of keys, thinking and signatures are the model's own.
 * \`turn.answer(messages)\` stores and replays it like this.
 */
export function ${variable}<M>(messages: readonly M[], answer: M): M[] {
  return [...messages, answer]
}`,
}

export const prunedResult: JoinedRecipe = {
  name: 'prunedResult',
  joined: true,
  gives: 'function',
  imports: { indelible: ['type Session'] },
  write: (
    variable,
  ) => `/** Compacts when the context is nearly full, and not before. \`through\` is the revision of an answer's receipt. */
export async function ${variable}<M>(
  session: Session<M>,
  context: { readonly tokens: number; readonly limit: number },
  compaction: { readonly summary: readonly M[]; readonly through: number },
): Promise<boolean> {
  if (context.tokens < 0.8 * context.limit) return false
  await session.compact(compaction)
  return true
}`,
}

export const imageReplaced: JoinedRecipe = {
  name: 'imageReplaced',
  joined: true,
  gives: 'function',
  imports: {},
  write: (
    variable,
  ) => `/** Images in the same bytes each time: one is encoded once, under its name. Make one for each conversation. */
export function ${variable}(encode: (name: string) => string): (name: string) => string {
  const encoded = new Map<string, string>()
  return (name) => {
    const bytes = encoded.get(name) ?? encode(name)
    encoded.set(name, bytes)
    return bytes
  }
}`,
}
