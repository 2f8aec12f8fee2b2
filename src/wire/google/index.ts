/** `indelible/google`: sessions of Google's contents, and their turns as requests of `generateContent`. */
export { RequestInvalidError } from '../errors.ts'
export { refusal } from '../refusal.ts'
export { googleFormat } from './format.ts'
export { toGoogleContents } from './to-google-contents.ts'
export type { GeminiPlatform } from '../../cache/index.ts'
export type { BreakpointPlace, FallbackReason, LoweringWarning } from '../warnings.ts'
export type { GoogleBody, GoogleConfig, GoogleOptions, GoogleParams, GoogleRequest } from './types.ts'
