/** What the Messages API refuses of the parameters beside the prompt: what must be there, and what a pre-warm may not ask. */
import { fields, type Fields } from '../fields.ts'

/** What besides the body decides. */
interface Asked {
  /** The call is one that a model answers. */
  readonly answers: boolean
  /** Thinking may go on between tool calls, over more than one answer's tokens. */
  readonly interleaved: boolean
}

/** The first thing that is refused, in the API's words. */
export function checkParameters(body: Fields, { answers, interleaved }: Asked): string | null {
  const required = answers ? ['model', 'max_tokens', 'messages'] : ['model', 'messages']
  for (const name of required) if (body[name] === undefined) return `${name}: Field required`
  if (!answers) return null
  const limit = body['max_tokens']
  if (typeof limit !== 'number' || !Number.isInteger(limit)) return 'max_tokens: Input should be a valid integer'
  if (limit < 0) return 'max_tokens: Input should be greater than or equal to 0'
  return limit === 0 ? checkPrewarm(body) : checkThinking(body, interleaved ? Infinity : limit)
}

/** Thinking comes out of the answer's tokens, so these have to be more. */
function checkThinking(body: Fields, limit: number): string | null {
  const { type, budget_tokens: budget } = fields(body['thinking'])
  if (type !== 'enabled') return null
  if (typeof budget !== 'number') return 'thinking.enabled.budget_tokens: Field required'
  if (budget < leastBudget) {
    return `thinking.enabled.budget_tokens: Input should be greater than or equal to ${leastBudget}`
  }
  return limit > budget ? null : '`max_tokens` must be greater than `thinking.budget_tokens`'
}

const leastBudget = 1_024

/** A request for no tokens only fills the cache; it can have nothing that shapes an answer. */
function checkPrewarm(body: Fields): string | null {
  const choice = fields(body['tool_choice'])['type']
  const conflicts: readonly (readonly [name: string, found: boolean])[] = [
    ['stream', body['stream'] === true],
    ['thinking.type "enabled"', fields(body['thinking'])['type'] === 'enabled'],
    ['output_config.format', (fields(body['output_config'])['format'] ?? null) !== null],
    [`tool_choice.type ${JSON.stringify(choice)}`, choice === 'any' || choice === 'tool'],
  ]
  const found = conflicts.find(([, conflict]) => conflict)
  return found === undefined ? null : `max_tokens: 0 cannot be combined with ${found[0]}`
}
