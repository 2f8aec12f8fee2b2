/** Changes that make a value a source: one that is there already, or one whose loader is to be written. */
import { missingLoader } from './found.ts'
import type { HelperName, Imports, JoinedRecipe, SingleRecipe } from './types.ts'

/** A ready-made source of `indelible/sources`. */
function readyMade(name: string, source: string, expression: string, comment: string): JoinedRecipe {
  return {
    name,
    joined: true,
    gives: 'context',
    imports: { indelible: ['type Context'], 'indelible/sources': [source] },
    write: (variable) => `/** ${comment} */\nexport const ${variable}: Context = ${expression}`,
  }
}

export const clock: JoinedRecipe = readyMade(
  'clock',
  'value',
  "value('app/hour', () => `${new Date().toISOString().slice(0, 13)}:00Z`, { label: 'The time, to the hour,' })",
  'Told once an hour. Without it, the model is not told the time at all, which is cheaper still.',
)

export const date: JoinedRecipe = readyMade(
  'date',
  'date',
  "date({ timeZone: 'UTC' })",
  "The prompt keeps the first day, and midnight is an update. Name the zone of the user, as in 'Europe/Berlin'.",
)

export const git: JoinedRecipe = readyMade(
  'git',
  'git',
  'git({ cwd: process.cwd() })',
  'Branch, commit and changed paths of the folder that the agent works in; what changes is told by updates.',
)

export const path: JoinedRecipe = readyMade(
  'path',
  'environment',
  'environment({ cwd: process.cwd() })',
  "System, shell and working folder. Another path is `value('app/path', () => path)` of indelible/sources.",
)

export const rulesText: JoinedRecipe = readyMade(
  'rulesText',
  'instructionFiles',
  'instructionFiles({ cwd: process.cwd() })',
  'AGENTS.md and CLAUDE.md from the root of the project down; `names` and `global` add others. An edit is an update.',
)

/** A source whose loader throws until it is written; `what` begins its key. */
function toBeWritten(name: string, what: string): SingleRecipe {
  return {
    name,
    joined: false,
    gives: 'context',
    imports: { indelible: ['type Context', 'defineSource'] },
    helper: 'text',
    write(variable, culprit) {
      const key = `app/${what}-${variable.slice(name.length)}`
      return [
        '/** Write its loader, and word its texts as the prompt did. Until then, no turn begins and the error says why. */',
        `export const ${variable}: Context = defineSource({`,
        `  key: '${key}',`,
        '  codec: text,',
        '  load: (): string => {',
        `    throw new Error(${missingLoader(key, culprit)})`,
        '  },',
        '  baseline: (current) => `The value is: ${current}`,',
        '  update: (_, current) => `The value is now: ${current}`,',
        "  removed: () => 'The value given earlier no longer holds.',",
        '})',
      ].join('\n')
    },
  }
}

export const unknown: SingleRecipe = toBeWritten('unknown', 'value')

export const movedBlock: SingleRecipe = toBeWritten('movedBlock', 'reminder')

/** What recipes share, by name. */
export const helpers: Readonly<Record<HelperName, { readonly code: string; readonly imports: Imports }>> = {
  text: {
    imports: { indelible: ['type Codec'] },
    code: `const text: Codec<string> = {
  encode: (value) => value,
  decode(json) {
    if (typeof json !== 'string') throw new TypeError('The stored value is no text.')
    return json
  },
}`,
  },
}
