/** Frames for text from outside. */

/**
 * `text` between two lines of backticks, one backtick longer than the longest run in it and at least three: as in
 * Markdown, nothing that the text holds can close the frame. Costs at most three times the text.
 */
export function fence(text: string): string {
  let longest = 2
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const line = '`'.repeat(longest + 1)
  return `${line}\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}`
}
