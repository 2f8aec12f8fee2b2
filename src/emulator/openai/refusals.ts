/** Refusals in the shape and the words of OpenAI. */
import type { Json } from '../../base/json.ts'
import type { Refusal } from '../types.ts'

/** What a refusal says besides its message. */
interface RefusalDetails {
  /** The parameter at fault, as `messages[0].role`. */
  readonly param?: string
  readonly code?: string
  readonly status?: number
}

export function refuse(message: string, { param, code, status = 400 }: RefusalDetails = {}): Refusal {
  return {
    status,
    body: { error: { message, type: 'invalid_request_error', param: param ?? null, code: code ?? null } },
  }
}

export function unknownParameter(param: string): Refusal {
  return refuse(`Unknown parameter: '${param}'.`, { param, code: 'unknown_parameter' })
}

export function unsupportedParameter(param: string): Refusal {
  return refuse(`Unsupported parameter: '${param}' is not supported with this model.`, {
    param,
    code: 'unsupported_parameter',
  })
}

export function missingParameter(param: string): Refusal {
  return refuse(`Missing required parameter: '${param}'.`, { param, code: 'missing_required_parameter' })
}

export function emptyArray(param: string): Refusal {
  return refuse(
    `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    { param, code: 'empty_array' },
  )
}

export function invalidType(param: string, expected: string, found: unknown): Refusal {
  const kind = found === null ? 'null' : Array.isArray(found) ? 'an array' : article(typeof found)
  return refuse(`Invalid type for '${param}': expected ${expected}, but got ${kind} instead.`, {
    param,
    code: 'invalid_type',
  })
}

export function invalidValue(param: string, found: unknown, supported: readonly string[]): Refusal {
  const names = supported.map((name) => `'${name}'`)
  const all = names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`
  const value = typeof found === 'string' ? found : JSON.stringify(found)
  return refuse(`Invalid value: '${value}'. Supported values are: ${all}.`, { param, code: 'invalid_value' })
}

/** The body of a failure that is not about what was asked. */
export function failure(status: number, message: string): Json {
  const type = status >= 500 ? 'server_error' : status === 429 ? 'requests' : 'invalid_request_error'
  const code = status === 401 ? 'invalid_api_key' : status === 429 ? 'rate_limit_exceeded' : null
  return { error: { message, type, param: null, code } }
}

function article(type: string): string {
  return type === 'object' ? 'an object' : `a ${type}`
}
