/** What was read. */
import type { AuditReport } from '../report/types.ts'
import { formatBytes, formatNumber } from '../words/amounts.ts'
import { fidelityInWords } from './fidelity.ts'
import { element, type Markup } from './markup.ts'
import { table } from './tables.ts'

/** The section, or nothing where nothing was looked at. */
export function inputSection({ inputs }: AuditReport): Markup | null {
  if (inputs.length === 0) return null
  return element(
    'section',
    { 'aria-labelledby': 'inputs' },
    element('h2', { id: 'inputs' }, 'Logs'),
    table(
      'Files that were looked at',
      ['file', 'format', '#calls', '#size', 'it has'],
      inputs.map(({ file, format, exchanges, bytes, fidelity }) => [
        element('code', {}, file),
        format ?? 'not recognised',
        formatNumber(exchanges),
        bytes === null ? '?' : formatBytes(bytes),
        fidelity === null ? '' : fidelityInWords(fidelity),
      ]),
    ),
  )
}
