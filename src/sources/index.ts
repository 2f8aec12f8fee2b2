/**
 * Ready-made sources: `indelible/sources`.
 *
 * Each is a context of one source with a key of its own; `combine` puts them together. They run on Node.js.
 */
export { date } from './date.ts'
export type { DateOptions } from './date.ts'
export { environment } from './environment.ts'
export type { EnvironmentOptions } from './environment.ts'
export { git } from './git.ts'
export type { GitOptions } from './git.ts'
export { instructionFiles } from './instruction-files.ts'
export type { InstructionFilesOptions } from './instruction-files.ts'
export { literal } from './literal.ts'
export { value } from './value.ts'
export type { ValueOptions } from './value.ts'
