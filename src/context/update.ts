/** Composing one update of the texts that a boundary has to tell. */
import type { Authority, Change, Update, UpdatePart } from './types.ts'

/** One change and its text, as it will be sent. */
export interface Telling extends Change {
  readonly authority: Authority
  readonly text: string
}

/** The update that tells `tellings` in their order; there is at least one. */
export function toUpdate(tellings: readonly Telling[]): Update {
  const parts = (['system', 'user'] as const).flatMap((authority) => toPart(authority, tellings))
  return {
    text: joinTexts(tellings.map(({ text }) => text)),
    parts,
    changes: tellings.map(({ key, kind }) => ({ key, kind })),
  }
}

function toPart(authority: Authority, tellings: readonly Telling[]): UpdatePart[] {
  const own = tellings.filter((telling) => telling.authority === authority)
  return own.length === 0
    ? []
    : [{ authority, text: joinTexts(own.map(({ text }) => text)), keys: own.map(({ key }) => key) }]
}

/** Texts with a blank line between them. */
export function joinTexts(texts: readonly string[]): string {
  return texts.join('\n\n')
}
