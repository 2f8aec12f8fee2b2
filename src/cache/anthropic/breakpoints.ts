/** What a breakpoint (`cache_control`) of the Messages API may be, and where it may stand. */
import type { Rule } from '../rule.ts'

/** How long a cache entry lives after the start of the request that wrote or last read it. */
export type CacheTtl = '5m' | '1h'

/** The rules of `cache_control`. */
export interface BreakpointRule extends Rule {
  /** Breakpoints in one request; the automatic one of a top-level `cache_control` is one of them. */
  readonly limit: number
  /** Types of message blocks that may be marked. Blank text may not, nor may a block inside another. */
  readonly markable: readonly string[]
  /** Further types that may carry a mark of the caller's: what tools of the provider leave, and its summaries. */
  readonly accepted: readonly string[]
  /** Shortest first: in a request, a breakpoint may not live longer than one before it. */
  readonly ttls: readonly [shortest: CacheTtl, longest: CacheTtl]
  /** Meant by a mark that names none. */
  readonly defaultTtl: CacheTtl
}

/** The rules in force. */
export const anthropicBreakpoints: BreakpointRule = {
  limit: 4,
  markable: ['text', 'image', 'document', 'search_result', 'tool_use', 'tool_result', 'tool_addition', 'tool_removal'],
  accepted: [
    'server_tool_use',
    'web_search_tool_result',
    'web_fetch_tool_result',
    'code_execution_tool_result',
    'bash_code_execution_tool_result',
    'text_editor_code_execution_tool_result',
    'tool_search_tool_result',
    'mcp_tool_use',
    'mcp_tool_result',
    'container_upload',
    'compaction',
  ],
  ttls: ['5m', '1h'],
  defaultTtl: '5m',
  since: '2026-11-01',
  source: 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching',
  confidence: 'official',
}
