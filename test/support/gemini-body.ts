/** What Google's SDK makes of its parameters: the body of `POST models/{model}:generateContent` on the Developer API. */
import type { GenerateContentParameters } from '@google/genai'

/** Settings that stand at the top of the body; all others go to `generationConfig`. */
const atTop = ['systemInstruction', 'tools', 'toolConfig', 'safetySettings', 'cachedContent', 'labels', 'serviceTier']

/** `contents` must be a list of contents already. */
export function geminiBody({ contents, config = {} }: GenerateContentParameters): Record<string, unknown> {
  const top: Record<string, unknown> = {}
  const generationConfig: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(config)) (atTop.includes(key) ? top : generationConfig)[key] = value
  return { contents, ...top, generationConfig }
}
