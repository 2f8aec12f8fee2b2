/** What to do about each kind and remedy where Indelible is not used: in plain words, of the kind alone. */
import type { CulpritKind } from '../changes/types.ts'
import type { OtherRemedy } from './types.ts'

/** By kind. Each is a sentence or two. */
export const elsewhere: Readonly<Record<CulpritKind, string>> = {
  clock: 'Leave the time out of the system prompt. Where the model needs it, write it into the newest message.',
  date: 'Write the date into the system prompt once, when the conversation begins; after midnight, write the new one into the newest message.',
  git: 'Read branch and status once, when the conversation begins; tell what changed later in the newest message.',
  path: 'Name the folder once, when the conversation begins; tell another one in the newest message. What differs per session stands behind what all sessions share.',
  id: 'Send it beside the prompt, as metadata or a header. If the model must see it, put it behind all that sessions share.',
  counter:
    'Write the number at the end of the newest message, or leave it out: in front, each step sends again all that follows.',
  'remaining-tokens': 'Write what is left at the end of the newest message, or leave it out.',
  'rules-text':
    'Read the file once, when the conversation begins; send an edited one as a new message, and leave the old text where it stands.',
  'tool-reordered': 'Sort the tools by name before each request, with a comparison that no locale changes.',
  'tool-added':
    'Define all tools from the first request on, and restrict the choice by a parameter; or add new ones only where a conversation begins.',
  'tool-removed': 'Leave the definition in the list, and answer calls with an error that says that the tool is gone.',
  'tool-edited': 'Send each definition as it was first sent, for as long as the conversation lasts.',
  'schema-key-order': 'Serialise schemas with their keys in one order.',
  'tool-call-ids': 'Store the answer as it came, and send it back with the ids that the model gave its calls.',
  'argument-order': 'Store the answer as it came: do not parse and serialise the arguments of its calls.',
  'moved-block':
    'Leave the block in the message where it was first sent, and write the next one into the newest message.',
  'pruned-result': 'Leave old results as they are until the context is nearly full, then remove many at once.',
  'thinking-dropped': 'Store the answer as it came, and send its thinking blocks back with their signatures.',
  'image-replaced': 'Encode an image once and keep the text, or upload it and refer to it by its id.',
  'breakpoint-wasted':
    'Put breakpoints behind the last block that comes again unchanged, and not on what is another on each request.',
  'header-block':
    'Turn the header off. Claude Code has "CLAUDE_CODE_ATTRIBUTION_HEADER": "0" under "env" in ~/.claude/settings.json; elsewhere, remove the block before the request is sent.',
  parameter:
    'Choose the parameter once, before the first request, and change it only where a conversation begins anew.',
  unknown: 'Read the value once, when the conversation begins; tell what changed later in the newest message.',
}

/** By remedy. */
export const elsewhereFor: Readonly<Record<OtherRemedy['type'], string>> = {
  ttl: 'Ask for an hour on each breakpoint. A write then costs more, and pays where pauses are longer than five minutes.',
  breakpoints: 'Put one breakpoint each behind the tools, the system prompt and the last block of the newest message.',
  'keep-alive':
    'Send the last request again with one token of output, 30 seconds before its cache entry expires. It costs a read each time.',
}
