/** The ways that need no more than what the project itself installs; those of LangChain are apart. */
import type { Way } from '../way.ts'
import { aiSdk, aiSdkFrozen, aiSdkParts } from './ai-sdk.ts'
import { indelible } from './indelible.ts'
import { noCaching, split, splitAndEnd } from './plain.ts'

/** All ways in the order of the table. Those of `others` come behind the AI SDK. */
export function waysWith(others: readonly Way[]): readonly Way[] {
  return [noCaching, aiSdk, aiSdkParts, aiSdkFrozen, ...others, splitAndEnd, split, indelible]
}
