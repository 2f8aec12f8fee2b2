/** Messages of the library, of which a person needs the first sentence; what follows is for programs. */

/** The first sentence of `text`, or all of it where none ends. */
export function firstSentence(text: string): string {
  return /^[^\n]{0,200}?\.(?= [A-Z])/.exec(text)?.[0] ?? text
}
