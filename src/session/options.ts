/** What only untyped callers can get wrong: options from a configuration file, or of another release. */
import { ContextRegistry } from '../context/index.ts'
import { OptionInvalidError } from './errors.ts'
import type { SessionsOptions } from './types.ts'

const choices = {
  onInstructionsChanged: ['hold', 'epoch'],
  onToolAdded: ['epoch', 'append', 'hold'],
} as const

/** Throws {@link OptionInvalidError}. */
export function checkOptions<M, H>(options: SessionsOptions<M, H>): void {
  if (typeof options !== 'object' || options === null)
    throw new OptionInvalidError('createSessions needs options: at least `store` and `context`.')
  const { store, context, format, tools } = options as Partial<SessionsOptions<M, H>>
  if (typeof store?.append !== 'function') {
    throw new OptionInvalidError(
      'createSessions needs a `store`: memoryStore(), sqliteStore(path), or one of your own.',
    )
  }
  if (!isContext(context)) {
    throw new OptionInvalidError(
      'createSessions needs a `context`: what defineSource or combine makes, a ContextRegistry, or a function.',
    )
  }
  if (format !== undefined && typeof format.kind !== 'function') {
    throw new OptionInvalidError(
      `\`format\` must be a format, as anthropicFormat of indelible/anthropic, and not ${typeof format}.`,
    )
  }
  if (tools !== undefined && typeof tools !== 'function') {
    throw new OptionInvalidError(
      '`tools` must be a function that returns the tools, because it is read at every boundary.',
    )
  }
  for (const [name, allowed] of Object.entries(choices)) {
    const given: unknown = options[name as keyof typeof choices]
    if (given === undefined || (allowed as readonly unknown[]).includes(given)) continue
    throw new OptionInvalidError(
      `\`${name}\` is ${JSON.stringify(given)}. Give ${allowed.map((one) => `'${one}'`).join(' or ')}.`,
    )
  }
}

function isContext(context: unknown): boolean {
  if (typeof context === 'function' || context instanceof ContextRegistry) return true
  return typeof context === 'object' && context !== null && 'sources' in context
}
