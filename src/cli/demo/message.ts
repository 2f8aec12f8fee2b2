/** The types of a Messages request, by way of the adapter, so that the SDK is not needed. */
import type { AnthropicBody, AnthropicParams } from '../../wire/anthropic/index.ts'

/** The body of a request. It asks for a whole answer, not for a stream. */
export type Body = AnthropicBody<AnthropicParams & { readonly stream?: false }>

/** One block of a system prompt. */
export type SystemBlock = Body['system'][number]

/** One message of a conversation. */
export type Message = Body['messages'][number]

/** One block of a message. */
export type Block = Exclude<Message['content'], string>[number]

/** A tool definition. */
export type ToolDefinition = NonNullable<Body['tools']>[number]
