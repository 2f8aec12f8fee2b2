/** What stays the same of a text that is written anew each time: its words, without what is counted, drawn or told. */

const LENGTH = 48

/** The beginning of `text` with everything that has a digit in it, or looks drawn by lot, as `#`. */
export function skeleton(text: string): string {
  const words = text.slice(0, 4 * LENGTH).replace(/[^\s<>()[\]{}"'=:,;|]*[\p{N}][^\s<>()[\]{}"'=:,;|]*/gu, '#')
  return words
    .replace(/[A-Za-z0-9_-]{20,}/g, '#')
    .replace(/#(?:[\s:.,-]*#)+/g, '#')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LENGTH)
}
