/** What Converse refuses of `cachePoint` blocks: how many there are, what they stand behind, and in which order they live. */
import { anthropicBreakpoints } from '../../cache/anthropic/breakpoints.ts'
import { bedrockBreakpoints } from '../../cache/bedrock/breakpoints.ts'
import { fields, list, type Fields } from '../fields.ts'

interface CachePoint {
  readonly path: string
  readonly ttl: unknown
  /** The block that it stands behind, if any. */
  readonly behind: Fields | undefined
}

/** Everything that is refused. */
export function checkCachePoints({ toolConfig, system, messages }: Fields): readonly string[] {
  const points = [
    ...findPoints('toolConfig.tools', fields(toolConfig)['tools']),
    ...findPoints('system', system),
    ...list(messages).flatMap((message, index) => findPoints(`messages.${index}.content`, fields(message)['content'])),
  ]
  const problems = [...points.flatMap(checkPlace), ...checkLifetimes(points)]
  // https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
  if (points.length > bedrockBreakpoints.limit) {
    problems.push(
      `A maximum of ${bedrockBreakpoints.limit} blocks with cachePoint may be provided. Found ${points.length}.`,
    )
  }
  return problems
}

function findPoints(at: string, blocks: unknown): readonly CachePoint[] {
  const all = list(blocks).map(fields)
  return all.flatMap((block, index) => {
    const point = block['cachePoint']
    return point === undefined ? [] : [{ path: `${at}.${index}`, ttl: fields(point)['ttl'], behind: all[index - 1] }]
  })
}

function checkPlace({ path, behind }: CachePoint): string[] {
  // https://github.com/strands-agents/harness-sdk/pull/3677: something has to stand before it in the same list.
  if (behind === undefined) return [`${path}: There is nothing available to cache.`]
  // https://github.com/anomalyco/opencode/issues/36517
  if (behind['reasoningContent'] !== undefined) {
    return [
      `${path}: Cache point cannot be inserted after reasoning block. Please remove the invalid cache point and try again.`,
    ]
  }
  if (behind['cachePoint'] !== undefined) return [`${path}: a cache point may not follow another.`]
  // https://github.com/strands-agents/harness-sdk/issues/1966
  const { format } = fields(behind['document'])
  return typeof format === 'string' && !bedrockBreakpoints.markableDocuments.includes(format)
    ? [`${path}.type: Field required`]
    : []
}

/** https://github.com/Portkey-AI/gateway/issues/1762 */
function checkLifetimes(points: readonly CachePoint[]): string[] {
  const [shortest, longest] = anthropicBreakpoints.ttls
  const problems: string[] = []
  let short = false
  for (const { path, ttl = anthropicBreakpoints.defaultTtl } of points) {
    if (ttl !== shortest && ttl !== longest)
      problems.push(`${path}.cachePoint.ttl: the value ${JSON.stringify(ttl)} is not one of 5m, 1h.`)
    if (ttl === longest && short) {
      problems.push(
        `${path}.cachePoint.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`,
      )
    }
    short ||= ttl === shortest
  }
  return problems
}
