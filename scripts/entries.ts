/**
 * What the package exposes, read from `package.json`, the one place that lists it: every `./dist/X.js` in `exports` and
 * `bin` is built from `src/X.ts`. The build, the layer test and the snippet runner all start from this list.
 */
import packageJson from '../package.json' with { type: 'json' }

/** One module that users can reach. */
export interface Entry {
  /** What a user imports, as `indelible/prompt`; for a binary, its command. */
  readonly specifier: string
  /** Where it is written, relative to the project root, as `src/prompt/index.ts`. */
  readonly source: string
  /** Where it is built, relative to the project root, as `dist/prompt/index.js`. */
  readonly built: string
}

/** The importable modules, in the order of `package.json`; JSON is exported as it lies there. */
export const libraryEntries: readonly Entry[] = Object.entries(packageJson.exports)
  .filter(([, target]) => !target.endsWith('.json'))
  .map(([subpath, target]) => toEntry(`${packageJson.name}${subpath.slice(1)}`, target))

/** The commands. */
export const commandEntries: readonly Entry[] = Object.entries(packageJson.bin).map(([name, target]) =>
  toEntry(name, target),
)

function toEntry(specifier: string, target: string): Entry {
  const stem = /^\.\/dist\/(.+)\.js$/.exec(target)?.[1]
  if (stem === undefined) throw new Error(`package.json points ${specifier} at ${target}, expected ./dist/<path>.js`)
  return { specifier, source: `src/${stem}.ts`, built: `dist/${stem}.js` }
}
