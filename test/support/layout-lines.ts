/** Segments as lines, so that a test can show a whole body at a glance. */
import { layout, type LayoutOptions } from '../../src/cache/layout/layout.ts'
import { readItems } from '../../src/cache/layout/read-items.ts'

/** `PATH SECTION/ROLE TYPE CONTENT`, and behind it the lifetime of a breakpoint as `<5m>`, with `+` when automatic. */
export function lines(request: unknown, options?: LayoutOptions): readonly string[] {
  return layout(request, options).segments.map(({ path, section, role, type, content, breakpoint }) => {
    const mark = breakpoint === null ? '' : ` <${breakpoint.kind === 'automatic' ? '+' : ''}${breakpoint.ttl}>`
    return `${path} ${section}/${role} ${type} ${content}${mark}`
  })
}

/** The paths of the segments that open a message. */
export function openings(request: unknown, options: LayoutOptions = {}): readonly string[] {
  const { reader, items } = readItems(request, options)
  return items.flatMap((item) =>
    reader
      .split(item)
      .filter(({ joined }) => !joined)
      .map(({ path }) => `${item.list}${item.index < 0 ? '' : `[${item.index}]`}${path}`),
  )
}

/** The value of each scope parameter. */
export function scope(request: unknown, options?: LayoutOptions): Readonly<Record<string, unknown>> {
  return Object.fromEntries(layout(request, options).scope.map(({ name, value }) => [name, value]))
}
