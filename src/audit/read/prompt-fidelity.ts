/**
 * How far a prompt can be trusted that an SDK or a gateway logged in place of the body that it sent. What is in it, was
 * sent; what is not in it, may have been.
 */
import { field, has, list } from '../../cache/layout/peek.ts'
import type { Fidelity } from '../exchange.ts'

const marks = ['cache_control', 'cachePoint', 'prompt_cache_breakpoint']

/** The fidelity of a body that was made from a log; undefined for a call of which only the usage is known. */
export function promptFidelity(request: object | undefined, known: Partial<Fidelity>): Fidelity {
  const system = request !== undefined && hasSystem(request)
  return {
    level: request === undefined ? 'usage' : 'prompt',
    breakpoints: request !== undefined && isMarked(request),
    tools: has(request, 'tools'),
    system,
    parameters: false,
    order: true,
    time: false,
    redacted: false,
    ...(request === undefined ? withoutPrompt(known) : known),
  }
}

/** Without a prompt, nothing that would be in it is there. */
function withoutPrompt(known: Partial<Fidelity>): Partial<Fidelity> {
  return { ...known, level: 'usage', breakpoints: false, tools: false, system: false, parameters: false }
}

function hasSystem(request: object): boolean {
  if (has(request, 'system') || has(request, 'systemInstruction') || has(request, 'instructions')) return true
  const first = field(list(field(request, 'messages') ?? field(request, 'input'))[0], 'role')
  return first === 'system' || first === 'developer'
}

/** True where the caller's cache marks are in the log: then it keeps them. */
function isMarked(request: object): boolean {
  if (has(request, 'cache_control')) return true
  return [field(request, 'system'), field(request, 'tools'), field(request, 'messages'), field(request, 'input')]
    .flatMap(list)
    .some((item) => hasMark(item) || list(field(item, 'content')).some(hasMark))
}

function hasMark(block: unknown): boolean {
  return marks.some((name) => has(block, name))
}
