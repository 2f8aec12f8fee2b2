/** What a log has, in words. */
import type { Fidelity, FidelityLevel } from '../exchange.ts'

const LEVELS: Readonly<Record<FidelityLevel, string>> = {
  wire: 'the body as it was sent',
  body: 'the body',
  prompt: 'the prompt as it was given to an SDK or a gateway',
  usage: 'usage',
}

const PARTS = ['breakpoints', 'tools', 'system', 'parameters', 'order', 'time'] as const

/** In one line, with what is absent. */
export function fidelityInWords(fidelity: Fidelity): string {
  const absent = PARTS.filter((part) => !fidelity[part])
  const without = absent.length === 0 ? '' : `, without ${absent.join(', ')}`
  return `${LEVELS[fidelity.level]}${without}${fidelity.redacted ? ', with parts blacked out' : ''}`
}
