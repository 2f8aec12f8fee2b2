/**
 * Preloaded into the process of a snippet: `indelible` and its subpaths are the sources, and other packages are those of
 * the project, wherever the file of the snippet lies.
 */
import { registerHooks } from 'node:module'
import { libraryEntries } from '../entries.ts'

const root = new URL('../../', import.meta.url)
const sources = new Map(libraryEntries.map(({ specifier, source }) => [specifier, new URL(source, root).href]))

registerHooks({
  resolve(specifier, context, nextResolve) {
    const source = sources.get(specifier)
    if (source !== undefined) return nextResolve(source, context)
    const fromSnippet = context.parentURL?.endsWith('.mts') === true && !context.parentURL.startsWith(root.href)
    return nextResolve(specifier, fromSnippet ? { ...context, parentURL: new URL('package.json', root).href } : context)
  },
})
