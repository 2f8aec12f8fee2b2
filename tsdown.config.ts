import type { UserConfig } from 'tsdown'
import { commandEntries, libraryEntries } from './scripts/entries.ts'

const config: UserConfig = {
  entry: [...libraryEntries, ...commandEntries].map((entry) => entry.source),
  // One output file per source file: stack traces, readers of node_modules and tree shaking see the tree as it is written.
  root: 'src',
  unbundle: true,
  format: 'esm',
  fixedExtension: false,
  sourcemap: true,
  dts: { oxc: true, sourcemap: false },
  // What a program or its types need is a dependency or a peer; nothing of anyone else's is copied into dist. The demo loads
  // provider packages of the AI SDK where they happen to be installed.
  deps: { onlyBundle: [], neverBundle: [/^@ai-sdk\//] },
  failOnWarn: true,
}

export default config
