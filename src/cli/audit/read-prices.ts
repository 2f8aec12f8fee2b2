/** Prices from a file, beside the package's own: the lists that LiteLLM, models.dev and genai-prices publish. */
import { readFile } from 'node:fs/promises'
import {
  combineTables,
  fromGenaiPrices,
  fromLiteLlm,
  fromModelsDev,
  ownPrices,
  PricesUnreadableError,
  type PriceTable,
} from '../../cache/index.ts'
import { CommandError } from '../errors.ts'

const kinds = [fromLiteLlm, fromModelsDev, fromGenaiPrices]

/** The package's prices with those of the file; where both have a model, the file's count. Throws {@link CommandError}. */
export async function readPrices(file: string): Promise<PriceTable> {
  const json = await readJson(file)
  const tables = kinds.flatMap((read) => tableBy(read, json))
  const [table] = tables.sort((one, other) => other.rows.length - one.rows.length)
  if (table === undefined) {
    throw new CommandError(
      `${file} holds no prices that are known. Give model_prices_and_context_window.json of LiteLLM, api.json of models.dev, or data.json of genai-prices.`,
    )
  }
  return combineTables(ownPrices, table)
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown
  } catch (cause) {
    throw new CommandError(`The prices in ${file} cannot be read: ${(cause as Error).message}`, { cause })
  }
}

function tableBy(read: (json: unknown) => PriceTable, json: unknown): readonly PriceTable[] {
  try {
    const table = read(json)
    return table.rows.length > 0 ? [table] : []
  } catch (error) {
    if (error instanceof PricesUnreadableError) return []
    throw error
  }
}
