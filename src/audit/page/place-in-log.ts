/** Where a record stands. */

/** Characters of a path that are shown. */
const LONGEST = 400

/** `a/b/c.jsonl:7`; of a path that is too long, its end. */
export function placeInLog({ file, line }: { readonly file: string; readonly line: number | null }): string {
  const path = file.length > LONGEST ? `…${file.slice(-LONGEST)}` : file
  return line === null ? path : `${path}:${line}`
}
