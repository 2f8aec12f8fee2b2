/**
 * The demo's requests and answers as a log, one file per way: JSON lines as a proxy or an agent of one's own would write
 * them, for `indelible audit`.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../errors.ts'
import type { TurnRecord } from './conversation.ts'
import type { Provider } from './providers/provider.ts'
import { WAY_NAMES } from './report.ts'

/** Writes `anew.jsonl` and so on into a folder, over those of an earlier run. Returns their paths. */
export async function writeLogs(
  folder: string,
  records: readonly TurnRecord[],
  { model, simulator }: Pick<Provider, 'model' | 'simulator'>,
): Promise<readonly string[]> {
  try {
    await mkdir(folder, { recursive: true })
    return await Promise.all(
      WAY_NAMES.map(async (way) => {
        const lines = records.map(({ at, ways }) => {
          const { body, response } = ways[way]
          // Each way has a cache of its own, and so is an account of its own.
          const request = { headers: { 'x-api-key': `demo-${way}` }, body }
          return JSON.stringify({
            started_at: at.toISOString(),
            session_id: way,
            provider: simulator,
            model,
            request,
            response,
          })
        })
        const file = join(folder, `${way}.jsonl`)
        await writeFile(file, lines.map((line) => `${line}\n`).join(''))
        return file
      }),
    )
  } catch (cause) {
    throw new CommandError(`The logs cannot be written to ${folder}: ${(cause as Error).message}`, { cause })
  }
}
