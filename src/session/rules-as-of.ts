/**
 * ISO date of the newest provider rule that this release follows. An epoch keeps the date under which it began, so a
 * release that knows more rewrites no live session. Sessions know no provider: a test pins the date to the rule tables.
 */
export const RULES_AS_OF: string = '2026-12-01'
