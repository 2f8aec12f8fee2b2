/**
 * Secrets that stand in a body: the tokens that a provider is to send on to servers of tools. They are taken out of what
 * is stored, shown and answered. Most bodies have none, and keep their text as it came.
 */
import { fields, list, type Fields } from './fields.ts'

const REDACTED = '[redacted]'

/** The text of a body without its secrets; the same text where it names none. */
export function redactText(text: string, body: Fields): string {
  const redacted = redact(body)
  return redacted === body ? text : JSON.stringify(redacted)
}

/** A body without the secrets of the servers of tools; the same reference where it names none. */
export function redact(body: Fields): Fields {
  const servers = list(body['mcp_servers'])
  const tools = list(body['tools'])
  if (servers.length === 0 && !tools.some(isServer)) return body
  return {
    ...body,
    ...(servers.length === 0 ? {} : { mcp_servers: servers.map((server) => without(server, ['authorization_token'])) }),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((tool) => (isServer(tool) ? without(tool, ['authorization', 'headers']) : tool)) }),
  }
}

function isServer(tool: unknown): boolean {
  return fields(tool)['type'] === 'mcp'
}

function without(value: unknown, names: readonly string[]): unknown {
  const entries = Object.entries(fields(value))
  return Object.fromEntries(
    entries.map(([name, inner]) => [
      name,
      names.includes(name) && inner !== undefined && inner !== null ? REDACTED : inner,
    ]),
  )
}
