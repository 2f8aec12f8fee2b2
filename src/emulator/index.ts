/** An HTTP server that answers as the providers do, and counts what their caches would have read and written. */
export { checkConverse } from './bedrock/check-converse.ts'
export type { LoggedRequest } from './emulation.ts'
export type { RecordedRequest } from './journal.ts'
export type { Delay, Latency } from './latency.ts'
export type { CacheScope } from './scopes.ts'
export { startEmulator } from './start-emulator.ts'
export type { Emulator, EmulatorOptions } from './start-emulator.ts'
export type { Answer, ReceivedRequest, Respond } from './types.ts'
