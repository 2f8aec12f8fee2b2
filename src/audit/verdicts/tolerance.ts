/** By how much two token counts of one prompt may differ and still agree. */

/** Tokens by which a reported read may be off a predicted one: 1 %, 16, or the step that the provider counts in. */
export function toleranceOf(reported: number, step: number): number {
  return Math.max(reported / 100, 16, step)
}
