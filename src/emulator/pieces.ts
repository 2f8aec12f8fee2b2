/** A text as a model would stream it: in pieces that are put together again by joining them. */

const codePointsPerPiece = 12

/** Pieces of a few characters each, never splitting a code point; none for the empty text. */
export function pieces(text: string): readonly string[] {
  const found: string[] = []
  let piece = ''
  let count = 0
  for (const character of text) {
    piece += character
    if (++count % codePointsPerPiece === 0) {
      found.push(piece)
      piece = ''
    }
  }
  if (piece !== '') found.push(piece)
  return found
}
