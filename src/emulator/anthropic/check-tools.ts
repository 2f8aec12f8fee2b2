/** What the Messages API refuses of the definitions of tools. */
import { text, type Fields } from '../fields.ts'
import { placedTools } from './blocks.ts'

const validName = /^[a-zA-Z0-9_-]{1,128}$/

/** The first thing that is refused, in the API's words. */
export function checkTools(body: Fields): string | null {
  const names = new Set<string>()
  for (const [index, { block }] of placedTools(body).entries()) {
    const name = text(block['name'])
    // Toolsets of a server are known by another field.
    if (name === undefined) continue
    if (!validName.test(name)) return `tools.${index}.custom.name: String should match pattern '${validName.source}'`
    if (names.has(name)) return 'tools: Tool names must be unique.'
    names.add(name)
  }
  return null
}
