/** Formats in which the caller marks what is cached, and how often at most. */
import { anthropicBreakpoints, type RequestFormat } from '../cache/index.ts'
import { bedrockBreakpoints } from '../cache/bedrock/breakpoints.ts'

/** Breakpoints that one request may have, by its format; none where the caller marks nothing. */
export const breakpointLimits: Readonly<Partial<Record<RequestFormat, number>>> = {
  anthropic: anthropicBreakpoints.limit,
  'bedrock-converse': bedrockBreakpoints.limit,
}
