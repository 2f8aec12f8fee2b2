/**
 * Which model an id means, for looking up its price.
 *
 * Ids are taken apart and then compared whole: `claude-sonnet-5` is no `claude-sonnet-5-5`, and `gpt-6-sol-mini` no
 * `gpt-6-sol`. Taken off are what says where it is served or when it was released: vendor prefixes, resource paths,
 * Bedrock's region and revision, Vertex's version, a date, `-latest`. Anything else (`:free`, `-fast`, an unknown prefix)
 * may be sold at another price and stays. The odd case is Claude, whose ids have more forms; `../model.ts` reads those.
 */
import { parseModel } from '../model.ts'
import { isSeller, sellerName, vendorOf } from './vendors.ts'

/** What a model id says. */
export interface ModelId {
  /** The same for all ids of one model. */
  readonly key: string
  /** Who makes it, where the name tells. */
  readonly provider?: string | undefined
  /** Who serves it, where a prefix tells. */
  readonly platform?: string | undefined
  /** The region that is part of the id, as `us` or `global`. */
  readonly region?: string | undefined
}

const resource = /^(?:projects\/[^/]+\/locations\/[^/]+\/)?(?:publishers\/[^/]+\/)?models\//
const arn = /^arn:aws[a-z-]*:bedrock:[^/]*(?:foundation-model|inference-profile)\//
const bedrock = /^(?:(?<region>[a-z]{2,6}(?:-[a-z]+)?)\.)?(?<vendor>[a-z]+)\.(?=[a-z])/
const revision = /-v\d+:\d+$|-\d+:\d+$/
const release = /(?:[-@](?:\d{4}-\d{2}-\d{2}|\d{8}|latest|default)|@\d{3})$/

/** Reads a model id in any of the forms that providers, clouds and gateways use. */
export function parseModelId(id: string): ModelId {
  const lower = id.trim().toLowerCase()
  let name = lower.replace(arn, '').replace(resource, '')
  let platform = arn.test(lower) ? 'bedrock' : lower.startsWith('projects/') ? 'vertex' : undefined
  for (let slash = name.indexOf('/'); slash > 0; slash = name.indexOf('/')) {
    const prefix = name.slice(0, slash)
    if (!isSeller(prefix)) return { key: lower }
    platform ??= sellerName(prefix)
    name = name.slice(slash + 1)
  }
  const served = bedrock.exec(name)?.groups
  const region = served?.['region']
  if (served?.['vendor'] !== undefined && isSeller(served['vendor'])) {
    name = name.replace(bedrock, '')
    // Claude's revision is taken off with the rest of its id.
    if (!name.startsWith('claude')) name = name.replace(revision, '')
    platform = 'bedrock'
  } else if (name.includes('@')) {
    platform ??= 'vertex'
  }
  const claude = parseModel(name)
  const bare = name.replace(release, '')
  const provider = claude?.provider ?? vendorOf(bare)
  return {
    key:
      claude === undefined ? withoutVersion(bare, provider) : `claude ${claude.family} ${claude.major}.${claude.minor}`,
    ...(provider === undefined ? {} : { provider }),
    // A vendor's own name in front of its model says nothing of who serves it.
    ...(platform === undefined || platform === provider ? {} : { platform }),
    ...(platform !== 'bedrock' || region === undefined ? {} : { region }),
  }
}

/** Gemini's stable releases are numbered, as `-001`. */
function withoutVersion(name: string, provider: string | undefined): string {
  return provider === 'google' ? name.replace(/-00\d$/, '') : name
}
