/**
 * The audit's divergences in the language of `usage.csv`: `tools[1]:name`, `system`, `msg[0](user).content[0]`, and
 * `msg[0](user)` where the content is a bare string; `APPEND` where the later request begins with all of the earlier,
 * `TRUNCATED` where it ends inside of it. The table has one language for all APIs, the audit each provider's own paths.
 */
import { toolName } from '../../src/audit/changes/calls.ts'
import type { Divergence } from '../../src/audit/explain/first-difference.ts'
import type { Place, Turn } from '../../src/audit/record/types.ts'
import { itemPath } from '../../src/cache/layout/layout.ts'
import { field, textOf } from '../../src/cache/layout/peek.ts'

/** Where `turn` first differs from `earlier`, as the table would say it. Throws for a path that neither has. */
export function tablePath(divergence: Divergence | null, turn: Turn, earlier: Turn): string {
  if (divergence === null) return 'APPEND'
  if (divergence.kind === 'shortened') return 'TRUNCATED'
  const { places } = divergence.kind === 'removed' ? earlier : turn
  const found = find(places, divergence.path)
  if (found === undefined) throw new Error(`neither request has ${divergence.path}`)
  const { place, at } = found
  if (place.section === 'tools')
    return `tools[${toolIndex(places, found)}]:${toolName(place.raw.blocks[at]?.text ?? null)}`
  // Chat Completions has its instructions among the messages, and the table counts them there.
  if (place.section === 'system' && !/(?:^|\.)(?:messages|input)$/.test(place.list)) return 'system'
  const role = textOf(place.raw.raw, 'role') || place.role
  return `msg[${place.index}](${role})${inMessage(place, at)}`
}

interface Found {
  readonly place: Place
  /** Of the block in its element. */
  readonly at: number
}

function find(places: readonly Place[], path: string): Found | undefined {
  for (const place of places) {
    const start = itemPath(place)
    const at = path.startsWith(start) ? place.raw.paths.indexOf(path.slice(start.length)) : -1
    if (at >= 0) return { place, at }
  }
  return undefined
}

/** Among all tools: some APIs keep them in several lists. */
function toolIndex(places: readonly Place[], { place, at }: Found): number {
  const before = places.slice(0, places.indexOf(place)).filter(({ section }) => section === 'tools')
  return before.reduce((sum, { raw }) => sum + raw.blocks.length, at)
}

function inMessage({ raw }: Place, at: number): string {
  const path = raw.paths[at] ?? ''
  return typeof field(raw.raw, 'content') === 'string' && path === '.content[0]'
    ? ''
    : path.replace(/^\.parts/, '.content')
}
