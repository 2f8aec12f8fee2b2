/**
 * What the AI SDK calls provider options, as far as caching goes: where a message or a part says that a prefix ends there.
 * Those of stored messages are taken off, because breakpoints are placed anew in each request.
 */
import type { ModelMessage } from 'ai'

/** Options of any provider, by its name. */
export type ProviderOptions = NonNullable<ModelMessage['providerOptions']>

/** The keys that mark, by provider. */
const marks: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['cacheControl', 'cache_control'],
  bedrock: ['cachePoint'],
  amazonBedrock: ['cachePoint'],
  openai: ['promptCacheBreakpoint'],
  azure: ['promptCacheBreakpoint'],
  openrouter: ['cacheControl', 'cache_control'],
}

/** The value without marks; itself where it has none. */
export function withoutMark<T extends object>(value: T): T {
  const { providerOptions } = value as { providerOptions?: ProviderOptions }
  if (providerOptions === undefined || providerOptions === null) return value
  const kept: Record<string, unknown> = {}
  let found = false
  for (const [provider, options] of Object.entries(providerOptions)) {
    const keys = marks[provider] ?? []
    if (!keys.some((key) => key in options)) {
      kept[provider] = options
      continue
    }
    found = true
    const rest = Object.entries(options).filter(([key]) => !keys.includes(key))
    if (rest.length > 0) kept[provider] = Object.fromEntries(rest)
  }
  if (!found) return value
  const { providerOptions: _, ...bare } = value as { providerOptions?: unknown }
  return (Object.keys(kept).length === 0 ? bare : { ...bare, providerOptions: kept }) as T
}

/** The message or part with an option of one provider set. What holds for a message holds for its last part. */
export function withOption<T extends object>(value: T, provider: string, option: ProviderOptions[string]): T {
  const { providerOptions } = value as { providerOptions?: ProviderOptions }
  return {
    ...value,
    providerOptions: { ...providerOptions, [provider]: { ...providerOptions?.[provider], ...option } },
  }
}

/** The message without marks on itself and its parts; itself where there are none. */
export function bareMessage<M extends ModelMessage>(message: M): M {
  const bare = withoutMark(message)
  const { content } = bare
  if (typeof content === 'string') return bare
  const parts = (content as readonly object[]).map(bareMessagePart)
  return parts.every((part, index) => part === content[index]) ? bare : { ...bare, content: parts }
}

/** A tool's result may be marked on its output, too. */
function bareMessagePart<P extends object>(part: P): P {
  const bare = withoutMark(part)
  const { output } = bare as { output?: unknown }
  if (typeof output !== 'object' || output === null) return bare
  const plain = withoutMark(output)
  return plain === output ? bare : { ...bare, output: plain }
}
