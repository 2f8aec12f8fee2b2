/**
 * Chat Completions as the body that a gateway or an SDK makes of it for another API. Logs at that level hold every prompt
 * in the shape of Chat, whoever was asked, but the rules of a provider read its own format only.
 *
 * The result says what the model was shown, not which bytes were sent. Equal messages give equal ones, so that prefixes
 * stay prefixes. What is in a provider's own shape already is passed on as it is.
 */
import { recogniseFormat } from '../../cache/layout/read-items.ts'
import type { RequestFormat } from '../../cache/layout/types.ts'
import { parseModel } from '../../cache/model.ts'
import type { ChatBody } from './chat-body.ts'
import { chatToAnthropic } from './chat-to-anthropic.ts'
import { chatToConverse } from './chat-to-converse.ts'
import { chatToGemini } from './chat-to-gemini.ts'

/** The body that `provider` (the simulator's name, or undefined) was sent for a model, from one in the shape of Chat. */
export function bodyFor(provider: string | undefined, model: string | undefined, chat: ChatBody): object {
  const target = formatOf(provider, model)
  const format = recogniseFormat(chat)
  if (target === 'openai-chat' || format === target) return chat
  // Another provider's shape than that of the log: nothing is known about how it was turned around.
  if (format !== undefined && format !== 'openai-chat') return chat
  if (target === 'gemini') return chatToGemini(chat)
  return target === 'anthropic' ? chatToAnthropic(chat) : chatToConverse(chat)
}

function formatOf(provider: string | undefined, model: string | undefined): RequestFormat {
  const isClaude = model !== undefined && parseModel(model) !== undefined
  switch (provider) {
    case 'anthropic':
    case 'aws':
    case 'vertex':
    case 'foundry':
      return 'anthropic'
    case 'bedrock':
      return isClaude ? 'anthropic' : 'bedrock-converse'
    case 'gemini':
    case 'vertex-gemini':
      return 'gemini'
    case undefined:
      // Behind a slash, a gateway names a model, and takes Chat.
      return isClaude && !model.includes('/') ? 'anthropic' : 'openai-chat'
    default:
      return 'openai-chat'
  }
}
