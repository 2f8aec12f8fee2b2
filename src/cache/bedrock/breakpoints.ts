/** Where a breakpoint (`cachePoint`) of the Converse API may stand. Its lifetimes are those of the Messages API. */
import type { Rule } from '../rule.ts'

/** The rules of `cachePoint`, which is a block of its own behind what it marks. */
export interface BedrockBreakpointRule extends Rule {
  /** Breakpoints in one request: in tools, system and messages together. */
  readonly limit: number
  /** Keys of the message blocks that a breakpoint may stand behind. Blank text may not be sent at all. */
  readonly markable: readonly string[]
  /** Of documents, the formats that a breakpoint may stand behind: https://github.com/strands-agents/harness-sdk/issues/1966. */
  readonly markableDocuments: readonly string[]
}

/** The rules in force. */
export const bedrockBreakpoints: BedrockBreakpointRule = {
  limit: 4,
  markable: ['text', 'image', 'document', 'toolUse', 'toolResult'],
  markableDocuments: ['pdf'],
  since: '2026-12-01',
  source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html',
  confidence: 'official',
}
