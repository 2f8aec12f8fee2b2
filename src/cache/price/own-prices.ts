/**
 * List prices that the package ships, in USD per million tokens. Rows of one model are in the order of their dates.
 *
 * A write that a vendor does not bill apart has no price here: it is ordinary input. Load a table for what is missing or
 * newer: `combineTables(ownPrices, fromLiteLlm(json))`.
 */
import { chineseHolidays } from './chinese-holidays.ts'
import type {
  PriceConfidence,
  PriceRow,
  PriceTable,
  PriceTier,
  PriceWindow,
  RegionFactor,
  TokenPrices,
} from './price-table.ts'

type Extra = Partial<Pick<PriceRow, 'from' | 'statedUntil' | 'levels' | 'windows' | 'doubts' | 'platform'>>

const pages = {
  anthropic: 'https://platform.claude.com/docs/en/about-claude/pricing',
  openai: 'https://developers.openai.com/api/docs/pricing',
  google: 'https://ai.google.dev/gemini-api/docs/pricing',
  deepseek: 'https://api-docs.deepseek.com/quick_start/pricing',
  xai: 'https://docs.x.ai/developers/models',
  moonshotai: 'https://forum.moonshot.ai/t/613',
  zai: 'https://docs.z.ai/guides/overview/pricing',
  minimax: 'https://platform.minimax.io/docs/guides/pricing',
  mistral: 'https://docs.mistral.ai/getting-started/models',
  qwen: 'https://help.aliyun.com/zh/model-studio/models',
  openrouter: 'https://openrouter.ai/api/v1/models',
} as const
type Vendor = Exclude<keyof typeof pages, 'openrouter'>

/** Where the regional prices of a platform stand. */
const platformPages: Readonly<Record<string, string>> = {
  vertex: 'https://cloud.google.com/vertex-ai/generative-ai/pricing',
  bedrock: 'https://aws.amazon.com/bedrock/pricing/',
}

const regions: Partial<Record<Vendor, readonly RegionFactor[]>> = {
  anthropic: [
    // `inference_geo: 'us'` of the Claude API.
    region('anthropic', 'us', 1.1, 'official'),
    region('aws', 'us', 1.1, 'assumed'),
    region('vertex', 'global', 1, 'reported'),
    region('vertex', '*', 1.1, 'reported'),
    region('bedrock', 'global', 1, 'assumed'),
    region('bedrock', '*', 1.1, 'assumed'),
  ],
  openai: [
    { ...region('azure', 'global', 1, 'reported'), source: 'https://learn.microsoft.com/azure/ai-services/openai/' },
    {
      ...region('azure', 'data-zone', 1.1, 'reported'),
      source: 'https://learn.microsoft.com/azure/ai-services/openai/',
    },
  ],
}

function region(platform: string, name: string, factor: number, confidence: PriceConfidence): RegionFactor {
  return { platform, region: name, factor, source: platformPages[platform] ?? pages.anthropic, confidence }
}

function row(
  provider: Vendor,
  confidence: PriceConfidence,
  model: string,
  tiers: readonly [PriceTier, ...PriceTier[]],
  extra: Extra = {},
): PriceRow {
  const held = regions[provider]
  const source = extra.platform === 'openrouter' ? pages.openrouter : pages[provider]
  return { provider, platform: provider, model, tiers, source, confidence, ...(held && { regions: held }), ...extra }
}

function flat(prices: TokenPrices): readonly [PriceTier] {
  return [{ prices }]
}

/** Writes for 5 minutes and for an hour. Batches cost half. */
function claude(
  models: readonly string[],
  confidence: PriceConfidence,
  [uncached, read, write5m, write1h, output]: readonly [number, number, number, number, number],
  extra: Extra = {},
): PriceRow[] {
  const levels = { batch: { factor: 0.5 }, ...extra.levels }
  const tiers = flat({ uncached, read, write5m, write1h, output })
  return models.map((model) => row('anthropic', confidence, `claude-${model}`, tiers, { ...extra, levels }))
}

/** Above 272,000 tokens of input, input costs twice as much and output half as much again. */
function gpt(model: string, [uncached, read, write30m, output]: readonly number[], extra: Extra = {}): PriceRow {
  const prices = (input: number, out: number): TokenPrices => ({
    uncached: (uncached ?? 0) * input,
    read: (read ?? 0) * input,
    ...((write30m ?? 0) > 0 && { write30m: (write30m ?? 0) * input }),
    output: (output ?? 0) * out,
  })
  const tiers: readonly [PriceTier, PriceTier] = [{ prices: prices(1, 1) }, { above: 272_000, prices: prices(2, 1.5) }]
  return row('openai', 'reported', model, tiers, extra)
}

const deepseekPeak = (prices: TokenPrices): PriceWindow => ({
  hours: [
    [60, 240],
    [360, 600],
  ],
  weekdays: [1, 2, 3, 4, 5],
  except: chineseHolidays,
  prices,
})

const stored = 'storage was stated at 0.50 through 2026-12-31 only'

const rows: readonly PriceRow[] = [
  ...claude(['fable-5-2'], 'reported', [8, 0.2, 10, 16, 40], { from: '2026-11-09' }),
  ...claude(['fable-5-1'], 'official', [10, 0.25, 12.5, 20, 50]),
  ...claude(['opus-5-5'], 'reported', [4, 0.2, 5, 8, 20], { levels: { fast: { factor: 2 } } }),
  ...claude(['opus-5', 'opus-4-8', 'opus-4-7', 'opus-4-6', 'opus-4-5'], 'official', [5, 0.5, 6.25, 10, 25]),
  ...claude(['sonnet-5-5'], 'reported', [2, 0.2, 2.5, 4, 10]),
  ...claude(['sonnet-5-5'], 'reported', [2, 0.1, 2.5, 4, 10], { from: '2026-10-07' }),
  ...claude(['sonnet-5'], 'official', [2, 0.2, 2.5, 4, 10]),
  ...claude(['sonnet-4-6', 'sonnet-4-5'], 'official', [3, 0.3, 3.75, 6, 15]),
  row(
    'anthropic',
    'reported',
    'claude-haiku-5-5',
    [
      { prices: { uncached: 0.1, read: 0.01, write5m: 0.125, write1h: 0.2, output: 0.5 } },
      { above: 100_000, prices: { uncached: 0.5, read: 0.05, write5m: 0.625, write1h: 1, output: 2.5 } },
    ],
    { levels: { batch: { factor: 0.5 } } },
  ),
  ...claude(['haiku-4-5'], 'official', [1, 0.1, 1.25, 2, 5]),

  gpt('gpt-6.2-sol', [2, 0.1, 2.5, 10]),
  gpt('gpt-6.2-astra', [8, 0.4, 10, 40]),
  gpt('gpt-6.1-sol', [2, 0.1, 2.5, 10]),
  gpt('gpt-6-sol', [2, 0.2, 2.5, 10]),
  gpt('gpt-6-luna', [0.1, 0.01, 0.125, 0.5]),
  gpt('gpt-6-astra', [10, 1, 12.5, 50]),
  // A promotion, at least until then; what comes after it is not known.
  gpt('gpt-5.6-sol', [4, 0.4, 5, 20], { statedUntil: '2026-11-21' }),
  gpt('gpt-5.6-terra', [2, 0.2, 2.5, 12]),
  gpt('gpt-5.6-luna', [0.2, 0.02, 0.25, 1.2]),
  gpt('gpt-5.5', [5, 0.5, 0, 30]),
  row('openai', 'reported', 'gpt-5.6-sol', flat({ uncached: 2, output: 10 }), { platform: 'openrouter' }),

  row('google', 'reported', 'gemini-4-argon', flat({ uncached: 2, read: 0.1, output: 10 })),
  row('google', 'reported', 'gemini-4-argon', flat({ uncached: 4, read: 0.2, output: 20 }), { from: '2026-12-01' }),
  row('google', 'reported', 'gemini-4-neon', flat({ uncached: 3, read: 0.15, output: 15 })),
  row('google', 'reported', 'gemini-4-hydrogen', flat({ uncached: 1.5, read: 0.075, output: 7.5 })),
  row('google', 'reported', 'gemini-3.8-flash', flat({ uncached: 0.75, read: 0.075, output: 3.75, storage: 0.5 })),
  row('google', 'reported', 'gemini-3.8-flash', flat({ uncached: 1.5, read: 0.15, output: 7.5, storage: 0.5 }), {
    from: '2027-01-01',
    doubts: { storage: stored },
  }),
  row('google', 'reported', 'gemini-3.1-pro-preview', [
    { prices: { uncached: 2, read: 0.2, output: 12, storage: 4.5 } },
    { above: 200_000, prices: { uncached: 4, read: 0.4, output: 18, storage: 4.5 } },
  ]),

  row('deepseek', 'official', 'deepseek-flash', flat({ uncached: 0.15, read: 0.003, output: 0.6 }), {
    windows: [deepseekPeak({ uncached: 0.3, read: 0.006, output: 1.2 })],
  }),
  row('deepseek', 'official', 'deepseek-v4-pro', flat({ uncached: 0.66, read: 0.022, output: 1.98 }), {
    windows: [deepseekPeak({ uncached: 1.32, read: 0.044, output: 3.96 })],
  }),
  row('xai', 'reported', 'grok-4.7', [
    { prices: { uncached: 2, read: 0.5, output: 6 } },
    { above: 200_000, inclusive: true, prices: { uncached: 4, read: 1, output: 12 } },
  ]),
  row('xai', 'reported', 'grok-4.7', flat({ uncached: 1.6, output: 4.8 }), { platform: 'openrouter' }),
  row('moonshotai', 'reported', 'kimi-k3', flat({ uncached: 3, read: 0.3, write5m: 6, write1h: 6, output: 15 }), {
    doubts: { write5m: 'one table has 3.00, another 6.00; the dearer is used' },
  }),
  row('moonshotai', 'reported', 'kimi-k3.1-pro', flat({ uncached: 2, read: 0.2, write5m: 2, write1h: 4, output: 10 })),
  row('zai', 'reported', 'glm-5.3', flat({ uncached: 1.4, read: 0.26, output: 4.4, storage: 0 })),
  row('minimax', 'reported', 'MiniMax-M3', flat({ uncached: 0.3, read: 0.06, output: 1.2 })),
  row('mistral', 'reported', 'mistral-medium-3.5', flat({ uncached: 1.5, read: 0.15, output: 7.5 })),
  row(
    'qwen',
    'reported',
    'qwen3.7-max',
    flat({ uncached: 2.5, read: 0.5, readExplicit: 0.25, write5m: 3.125, output: 7.5 }),
  ),
]

/** The package's own table. */
export const ownPrices: PriceTable = { rows }
