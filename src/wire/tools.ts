/** The ids of tools, as adapters need them. */
import type { Format, Tool } from '../session/types.ts'

/** The id of a tool in a format: what the format says, else its name. */
export function toolIdOf(format: Pick<Format<never>, 'toolId'>): (tool: Tool) => string {
  return (tool) => format.toolId?.(tool) ?? String(tool['name'])
}
