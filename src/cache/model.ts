/**
 * What a model id says: who makes the model, which family and version it is, and whether the id is pinned to a date.
 *
 * Rules are looked up by the parsed model, never by a piece of the id: `claude-sonnet-5` is a prefix of
 * `claude-sonnet-5-5` and has other rules. The same model goes by many ids (dated, `-latest`, Bedrock with a region and
 * a revision, an ARN, Vertex with `@`, the family after the version as in Claude 3); all of them parse alike. An id that
 * names no model for certain (an application inference profile, a deployment's own name) gives `undefined`.
 */

/** A model, read from its id. */
export interface Model {
  readonly provider: 'anthropic'
  /** As `opus`. */
  readonly family: string
  /** A preview that has no version is 0.0. */
  readonly major: number
  readonly minor: number
  /** `YYYYMMDD`, where the id is pinned to a date. */
  readonly date?: string
  /** The id names no date, so the provider decides which one answers. */
  readonly alias: boolean
}

/** Up to the model's own name: an ARN, a resource path, a Bedrock region. */
const prefix = /^(?:.*\/)?(?:(?:[a-z]{2,6}(?:-[a-z]+)?\.)?anthropic\.)?(?=claude-)/
/** Bedrock's revision, as `-v1:0`. */
const revision = /-v\d+(?::\d+)*$/
const release = String.raw`(?:[-@](?<release>\d{8}|latest|default))?`
const familyFirst = new RegExp(
  String.raw`^claude-(?<family>[a-z]+)-(?:preview|(?<major>\d{1,2})(?:[-.](?<minor>\d{1,2}))?)${release}$`,
)
const versionFirst = new RegExp(
  String.raw`^claude-(?<major>\d{1,2})(?:[-.](?<minor>\d{1,2}))?-(?<family>[a-z]+)(?:-v\d)?${release}$`,
)

// A request asks for the same id a dozen times. Ids come from outside, so what is remembered has an end.
const known = new Map<string, Model | undefined>()
const KNOWN = 256

/** Reads a model id of the Claude API or of a platform that serves Claude; `undefined` for any other. */
export function parseModel(id: string): Model | undefined {
  if (known.has(id)) return known.get(id)
  if (known.size >= KNOWN) known.clear()
  const model = parse(id)
  known.set(id, model)
  return model
}

function parse(id: string): Model | undefined {
  const name = id.replace(prefix, '').replace(revision, '')
  const found = (familyFirst.exec(name) ?? versionFirst.exec(name))?.groups
  if (found === undefined) return undefined
  const date = /^\d{8}$/.exec(found['release'] ?? '')?.[0]
  return {
    provider: 'anthropic',
    family: found['family'] ?? '',
    major: Number(found['major'] ?? 0),
    minor: Number(found['minor'] ?? 0),
    ...(date === undefined ? {} : { date }),
    alias: date === undefined,
  }
}

/** True when both ids name the same family and version, whatever the platform or date; ids that do not parse must be equal. */
export function isSameModel(one: string, other: string): boolean {
  if (one === other) return true
  const a = parseModel(one)
  const b = parseModel(other)
  return a !== undefined && b !== undefined && a.family === b.family && a.major === b.major && a.minor === b.minor
}
