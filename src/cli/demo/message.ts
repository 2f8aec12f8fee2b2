/** The types of a Messages request, by way of the adapter, so that the SDK is not needed. */
import type { AnthropicBody, AnthropicParams } from '../../wire/anthropic/index.ts'

/** The body of a request. */
type Lowered = AnthropicBody<AnthropicParams>

/** A request of any of the ways; a prompt that is one string is a way, too. */
export type Body = Omit<Lowered, 'system'> & { readonly system?: string | Lowered['system'] | undefined }

/** One message of a conversation. */
export type Message = Body['messages'][number]

/** One block of a message. */
export type Block = Exclude<Message['content'], string>[number]

/** A tool definition. */
export type ToolDefinition = NonNullable<Body['tools']>[number]
