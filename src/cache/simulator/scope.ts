/** What besides the text an entry depends on. */
import type { ScopeParameter, Section } from '../layout/types.ts'

/** The scope of one request. */
export interface RequestScope {
  /** Of what every section depends on: nothing is shared between two requests that differ here. */
  readonly root: string
  /** Of an entry that ends in the section. */
  readonly sections: Readonly<Record<Section, string>>
  readonly parameters: ReadonlyMap<string, { readonly value: string; readonly sections: readonly Section[] }>
}

const sections: readonly Section[] = ['tools', 'system', 'messages']

/** The scope of a request, as it keys entries. Equal lists that are one object have one scope. */
export function scopeOf(parameters: readonly ScopeParameter[]): RequestScope {
  const known = scopes.get(parameters)
  if (known !== undefined) return known
  const scope = readScope(parameters)
  scopes.set(parameters, scope)
  return scope
}

const scopes = new WeakMap<readonly ScopeParameter[], RequestScope>()

function readScope(parameters: readonly ScopeParameter[]): RequestScope {
  const values = new Map<string, { value: string; sections: readonly Section[] }>()
  const keys = { tools: '', system: '', messages: '' }
  for (const { name, value, invalidates } of parameters) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    values.set(name, { value: text, sections: invalidates })
    for (const section of sections) if (invalidates.includes(section)) keys[section] += `${name}=${text}\n`
  }
  // Whatever loses the tools loses all that follows them.
  return { root: keys.tools, sections: keys, parameters: values }
}

/** The parameters that lose an entry ending in `section`, of those in which two scopes differ. */
export function changedParameters(
  before: RequestScope['parameters'],
  now: RequestScope['parameters'],
  section: Section,
): readonly string[] {
  const names = new Set([...before.keys(), ...now.keys()])
  return [...names].filter((name) => {
    const lost = (now.get(name) ?? before.get(name))?.sections.includes(section) ?? false
    return lost && before.get(name)?.value !== now.get(name)?.value
  })
}
