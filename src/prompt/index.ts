/**
 * `indelible/prompt`: the static and the dynamic half of one system prompt string, for hosts that keep the string
 * themselves. This layer imports nothing outside its folder.
 */
export { escapeSystemPromptBoundary, hasSystemPromptBoundary, SYSTEM_PROMPT_BOUNDARY } from './boundary.ts'
export {
  appendDynamicSection,
  appendStaticSection,
  joinSystemPrompt,
  renderSystemForWire,
  replaceDynamicSection,
  splitSystemPrompt,
} from './system-prompt.ts'
export type { SystemPromptParts } from './system-prompt.ts'
