#!/usr/bin/env node
/**
 * The `indelible` command before anything is loaded. It imports nothing statically, so that a Node too old
 * for the rest (no `node:sqlite`, say) is told what is needed instead of shown a stack trace.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`indelible needs Node.js 22.18 or newer, and this is ${process.versions.node} (${process.execPath}).`)
  process.exitCode = 2
} else {
  const { main } = await import('./main.ts')
  process.exitCode = await main(process.argv.slice(2))
}

// Makes this file a module for the compiler: nothing above is global.
export {}
