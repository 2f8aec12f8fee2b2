/** The content of a body as the Messages API numbers it in its errors, whatever its shape. */
import { fields, list, type Fields } from '../fields.ts'

/** One block, and where it stands: `system.0`, `messages.3.content.1`. */
export interface PlacedBlock {
  readonly path: string
  readonly block: Fields
}

/** One message. A string is one text block. */
export interface PlacedMessage {
  readonly index: number
  readonly role: unknown
  readonly blocks: readonly PlacedBlock[]
  /** A system message without content that only sets parameters; it may stand anywhere. */
  readonly directive: boolean
  /** A system message that is there for one turn. */
  readonly turnScoped: boolean
}

/** The tools, as blocks. */
export function placedTools(body: Fields): readonly PlacedBlock[] {
  return list(body['tools']).map((tool, index) => ({ path: `tools.${index}`, block: fields(tool) }))
}

/** The blocks of `system`; a string has none that could be marked or blank. */
export function placedSystem(body: Fields): readonly PlacedBlock[] {
  return list(body['system']).map((block, index) => ({ path: `system.${index}`, block: fields(block) }))
}

/** The messages. Every check looks at all of them, so they are placed once, and a path is made when it is told. */
export function placedMessages(body: Fields): readonly PlacedMessage[] {
  return list(body['messages']).map((raw, index) => {
    const { role, content, output_config: outputConfig, clear_at: clearAt } = fields(raw)
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content)
    return {
      index,
      role,
      blocks: blocks.map((block, at) => new MessageBlock(index, at, fields(block))),
      directive: role === 'system' && blocks.length === 0 && outputConfig !== undefined,
      turnScoped: role === 'system' && clearAt !== undefined && clearAt !== null,
    }
  })
}

class MessageBlock implements PlacedBlock {
  readonly block: Fields
  readonly #index: number
  readonly #at: number

  constructor(index: number, at: number, block: Fields) {
    this.block = block
    this.#index = index
    this.#at = at
  }

  get path(): string {
    return `messages.${this.#index}.content.${this.#at}`
  }
}

/** True for text that shows nothing. */
export function isBlank({ type, text }: Fields): boolean {
  return type === 'text' && (typeof text !== 'string' || text.trim() === '')
}

/** True for the reasoning of a model, readable or not. */
export function isThinking({ type }: { readonly type?: unknown }): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}
