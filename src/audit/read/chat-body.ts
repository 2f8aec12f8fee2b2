/** Prompts in the shape of Chat Completions, in which most tools log them whatever API was asked. */
import { textOf } from '../../cache/layout/peek.ts'

/** A body with a list of messages in the shape of Chat Completions, system prompt included. */
export interface ChatBody {
  readonly [name: string]: unknown
  readonly messages: readonly unknown[]
}

/** True for messages with the instructions of the developer. */
export function isSystem(message: unknown): boolean {
  return ['system', 'developer'].includes(textOf(message, 'role'))
}
