/**
 * Amazon Bedrock: Claude by InvokeModel or Converse, with Bedrock's own minimums, and each block a position.
 */
import { bedrockLookback } from '../anthropic/lifetimes.ts'
import { bedrockMinimums } from '../anthropic/minimums.ts'
import type { ProviderRules } from '../simulator/rules.ts'
import { markedRules } from './anthropic.ts'

export const bedrock: ProviderRules = markedRules(
  'bedrock',
  ['anthropic', 'bedrock-converse'],
  bedrockMinimums,
  bedrockLookback,
)
