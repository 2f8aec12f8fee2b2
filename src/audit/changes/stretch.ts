/** A stretch in which two texts differ: where it is in either, and empty on the side where something is not there. */

/** In UTF-16 units into the first and the second text. */
export interface Stretch {
  readonly before: { readonly start: number; readonly end: number }
  readonly after: { readonly start: number; readonly end: number }
}
