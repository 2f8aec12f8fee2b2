/**
 * What an id of an OpenAI model says, and which models a table row means.
 *
 * Rules are looked up by the parsed version, never by a piece of the id: `gpt-5` is a prefix of `gpt-5.6-sol` and has
 * other rules. Ids of gateways and platforms (`openai/`, Bedrock's `us.openai.`, a fine-tuned `ft:`) parse alike. What
 * names no version for certain (open weights as `gpt-oss-120b`, `chatgpt-4o-latest`, a deployment's own name) gives
 * `undefined`.
 */

/** An OpenAI model, read from its id. */
export interface OpenAIModel {
  /** The reasoning models that came before GPT-5 are `o`. */
  readonly family: 'gpt' | 'o'
  readonly major: number
  readonly minor: number
  /** What stands behind the version, as `sol`, `codex-max`, `turbo`; `o` and `o-mini` for GPT-4o; else empty. */
  readonly variant: string
  /** `YYYY-MM-DD`, where the id is pinned to a date. */
  readonly date?: string
}

/** Versions of one family with both ends. A missing end is open. */
export interface OpenAIModelRange {
  readonly family: OpenAIModel['family']
  readonly from?: string
  readonly through?: string
}

/** Up to the model's own name: a gateway's path, a Bedrock region, a fine-tuning job. */
const prefix = /^(?:.*\/)?(?:ft:)?(?:(?:[a-z]{2,6}(?:-[a-z]+)?\.)?openai\.)?/
/** A gateway's routing, a Bedrock revision, the name of a fine-tuned model. */
const suffix = /(?:-v\d+)?(?::.*)?$/
const version = String.raw`(?<major>\d{1,2})(?:\.(?<minor>\d{1,2}))?`
const gpt = new RegExp(String.raw`^gpt-${version}(?<variant>o?(?:-[a-z]+)*)(?:-(?<release>\d{4}(?:-\d{2}-\d{2})?))?$`)
const reasoning = new RegExp(String.raw`^o${version}(?<variant>(?:-[a-z]+)*)(?:-(?<release>\d{4}-\d{2}-\d{2}))?$`)

/** Reads the id of an OpenAI model; `undefined` for any other. */
export function parseOpenAIModel(id: string): OpenAIModel | undefined {
  const name = id.replace(prefix, '').replace(suffix, '')
  const family = name.startsWith('o') ? 'o' : 'gpt'
  const found = (gpt.exec(name) ?? reasoning.exec(name))?.groups
  if (found === undefined) return undefined
  const date = /^\d{4}-\d{2}-\d{2}$/.exec(found['release'] ?? '')?.[0]
  return {
    family,
    major: Number(found['major']),
    minor: Number(found['minor'] ?? 0),
    variant: (found['variant'] ?? '').replace(/^-/, '').replace(/-?latest$/, ''),
    ...(date === undefined ? {} : { date }),
  }
}

/** True when the id names a model of one of the ranges. False for ids that do not parse. */
export function isOpenAIModelIn(id: string | undefined, ranges: readonly OpenAIModelRange[]): boolean {
  const model = id === undefined ? undefined : parseOpenAIModel(id)
  return model !== undefined && ranges.some((range) => covers(range, model))
}

function covers({ family, from, through }: OpenAIModelRange, model: OpenAIModel): boolean {
  return (
    family === model.family &&
    (from === undefined || compare(model, from) >= 0) &&
    (through === undefined || compare(model, through) <= 0)
  )
}

function compare({ major, minor }: OpenAIModel, other: string): number {
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number)
  return major - otherMajor || minor - otherMinor
}
