/** The types of the generateContent adapter: what it takes and what it gives back. */
import type { Content, GenerateContentConfig, GenerateContentParameters } from '@google/genai'
import type { GeminiPlatform } from '../../cache/index.ts'
import type { LoweringWarning } from '../warnings.ts'

/** The SDK's own parameters, without what a turn supplies. */
export type GoogleParams = Omit<GenerateContentParameters, 'contents' | 'config'> & {
  readonly contents?: never
  readonly config?: GoogleConfig
}

/**
 * The SDK's own config, without what a turn supplies. `tools` only where the session has none. An explicit cache holds the
 * system text and the tools itself, and the API refuses it beside them.
 */
export type GoogleConfig = Omit<GenerateContentConfig, 'systemInstruction' | 'cachedContent'> & {
  readonly systemInstruction?: never
  readonly cachedContent?: never
}

/** How to lower a turn. */
export interface GoogleOptions {
  /** Where the request is sent; the Developer API unless said. */
  readonly platform?: GeminiPlatform
}

/** The request in the SDK's own type. */
export interface GoogleBody extends GenerateContentParameters {
  contents: Content[]
  config: GenerateContentConfig & { systemInstruction: Content }
}

/** One request, ready to be sent. */
export interface GoogleRequest {
  /** For `ai.models.generateContent(body)` and `generateContentStream(body)`; the same for the same turn and parameters. */
  readonly body: GoogleBody
  /** Headers that the body needs beyond the SDK's own: none. */
  readonly headers: Record<string, string>
  /** What could not be done as asked; empty when all could. */
  readonly warnings: readonly LoweringWarning[]
}
