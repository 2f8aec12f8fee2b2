/** Code that takes the place of what an audit found. */
import type { Remedy } from '../counterfactuals/types.ts'
import type { AuditCulprit } from '../report/types.ts'

/** A module of TypeScript, whole and in parts. */
export interface SourceFile {
  /** All parts, combined into one context, with what sends a request of it. */
  readonly code: string
  /** The parts in the order of `code`. */
  readonly snippets: readonly SourceSnippet[]
}

/** What to put in the place of one culprit, or of those that one change takes care of. */
export interface SourceSnippet {
  /** What the names that it declares begin with, as `git1`. */
  readonly name: string
  /** Ids of its culprits; empty for a lifetime, breakpoints or pings. */
  readonly culprits: readonly string[]
  /** A module by itself, imports and all. */
  readonly code: string
}

/** Names by the module that they are imported from; a type has `type ` in front. */
export type Imports = Readonly<Record<string, readonly string[]>>

/** A remedy that is not the freezing of values. */
export type OtherRemedy = Exclude<Remedy, { readonly type: 'culprits' }>

/** How the requests of the log are built, which says whose types and fields the code has. */
export type Api = 'anthropic' | 'openai-chat' | 'openai-responses' | 'google' | 'bedrock'

/** How a change is written. */
export type Recipe = JoinedRecipe | SingleRecipe

interface RecipeHead {
  /** Begins the names of what it declares. */
  readonly name: string
  /** What it declares: a context; fields for `createSessions` or for the adapter; what is used where its comment says. */
  readonly gives: 'context' | 'options' | 'adapter-options' | 'function'
  readonly imports: Imports
}

/** One change that takes care of every place, so that it is written once. */
export interface JoinedRecipe extends RecipeHead {
  readonly joined: true
  /** The code that declares `variable`, without imports. */
  write(variable: string): string
}

/** A change for each culprit. */
export interface SingleRecipe extends RecipeHead {
  readonly joined: false
  readonly helper: HelperName
  write(variable: string, culprit: AuditCulprit): string
}

/** Code that parts share. */
export type HelperName = 'text'

/** One change of a report. */
export interface Part {
  readonly name: string
  /** The name of its recipe. */
  readonly recipe: string
  readonly culprits: readonly AuditCulprit[]
  readonly gives: Recipe['gives']
  readonly imports: Imports
  readonly helper: HelperName | null
  /** With its comments, without imports and helpers. */
  readonly code: string
}
