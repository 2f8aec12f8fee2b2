/**
 * Where a text holds what looks like a key: a credential by its form, or a long run that is too random for a name.
 *
 * A report is passed on, so it errs towards masking; what must stay readable are the ids that logs are full of (UUIDs,
 * hashes, `toolu_…`), paths and identifiers. Every pattern is linear in the text, and a key that is cut off by the window
 * of an excerpt is still found by what is left of it.
 */

/** A stretch, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Credentials that tell what they are. */
const named: readonly RegExp[] = [
  // Armoured private keys, to their end or that of the text.
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----END))*(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
  // JSON Web Tokens.
  /\beyJ[\w-]{6,}(?:\.[\w-]*){0,4}/g,
  // Makers of keys, by how theirs begin.
  /\bsk[-_][\w-]{6,}/g,
  /\b[pr]k_(?:live|test)_\w{4,}/g,
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{8,}/g,
  /\b(?:(?:gh[pousr]|github_pat|gsk|hf|npm|r8|dop_v1|shpat|lin_api|ntn)_|(?:glpat|xai|pplx|nvapi|tvly)-)[\w-]{8,}/g,
  /\bxox[abeprs]-[\w-]{6,}/g,
  /\bAIza[\w-]{12,}/g,
  /\bya29\.[\w-]{6,}/g,
  /\bSG\.[\w-]{6,}(?:\.[\w-]*)?/g,
  /\bAGE-SECRET-KEY-[A-Z0-9]{6,}/g,
]

const anyNamed = new RegExp(named.map(({ source }) => `(?:${source})`).join('|'))

/** Credentials that what stands before them gives away; the group is what is masked. */
const introduced: readonly RegExp[] = [
  /\b(?:Bearer|Basic)\s+([\w.~+/=-]{8,})/gi,
  /(?:api[-_]?key|secret|passw(?:or)?d|passphrase|credential|(?:access|auth|refresh|session|id|bearer)[-_]?token|authorization)[a-z_-]{0,20}["']?\s{0,4}[:=]\s{0,4}["']?([^\s"',;}]{4,})/gi,
  // Passwords in addresses.
  /:\/\/[^\s/:@]{0,200}:([^\s/@]{1,200})@/g,
]

/** Runs that may be random; a blank or a slash ends one, so that paths fall apart into names. */
const runs = /[A-Za-z0-9+_-]{24,}={0,2}/g
const SHORTEST = 12
/** How short a run may be that the edge of an excerpt cuts off. */
const cutRuns = /^…?[A-Za-z0-9+_-]{12,}|[A-Za-z0-9+_-]{12,}={0,2}…?$/g

/** Ids that providers and clients make, UUIDs and ULIDs. */
const ids =
  /(?<![a-z0-9])(?:toolu|srvtoolu|call|msg|req|resp|rs|fc|ctc|ws|ci|mcp|chatcmpl|cmpl|gen|run|item|session|conv|thread|step|batch|file|container|cache)[-_][\w-]+|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?<![a-z0-9])[0-7][0-9A-HJKMNP-TV-Z]{25}(?![a-z0-9])/gi

/** Where `text` holds keys: in order, without overlaps. With `cut`, its ends may be inside of one. */
export function keySpans(text: string, { cut = false }: { readonly cut?: boolean } = {}): readonly Span[] {
  const spans: Span[] = []
  // Nearly no text has one, and one look for all of them is cheaper than one for each.
  if (anyNamed.test(text)) {
    for (const pattern of named) {
      for (const { index, 0: found } of text.matchAll(pattern)) spans.push({ start: index, end: index + found.length })
    }
  }
  for (const pattern of introduced) {
    for (const { index, 0: found, 1: key = '' } of text.matchAll(pattern)) {
      // A number that a name like "secret" stands before counts something.
      if (/^\d+(?:[.,]\d+)*$/.test(key)) continue
      const start = index + found.lastIndexOf(key)
      spans.push({ start, end: start + key.length })
    }
  }
  for (const pattern of cut ? [runs, cutRuns] : [runs]) {
    for (const { index, 0: found } of text.matchAll(pattern)) {
      if (isRandom(found)) spans.push({ start: index, end: index + found.length })
    }
  }
  return joinSpans(spans)
}

/** `text` with `[key]` in place of every key. */
export function maskKeys(text: string, keys: readonly Span[] = keySpans(text)): string {
  let masked = ''
  let at = 0
  for (const { start, end } of keys) {
    masked += `${text.slice(at, start)}[key]`
    at = end
  }
  return masked + text.slice(at)
}

/**
 * Characters of three kinds, or of two in a run longer than any hash, that change kind as often as in what was drawn.
 * Names in camel or snake case change once in a word: a capital begins it.
 */
function isRandom(found: string): boolean {
  const run = found.replace(ids, '')
  if (run.length < found.length && run.length < SHORTEST) return false
  let changes = 0
  let before = ''
  const kinds = new Set<string>()
  for (const character of run) {
    const kind = kindOf(character)
    if (kind === '') continue
    kinds.add(kind)
    if (before !== '' && kind !== before && !(before === 'upper' && kind === 'lower')) changes++
    before = kind
  }
  if (!kinds.has('digit') || kinds.size < 2) return false
  // A hash in hexadecimal is an id up to the length of SHA-1's.
  if (run.length <= 40 && /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(run)) return false
  return changes / run.length > (kinds.size === 3 ? 0.25 : 0.3)
}

function kindOf(character: string): string {
  if (character >= '0' && character <= '9') return 'digit'
  if (character >= 'a' && character <= 'z') return 'lower'
  return character >= 'A' && character <= 'Z' ? 'upper' : ''
}

/** `spans` in order, those that touch as one. */
export function joinSpans(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = []
  for (const span of spans.toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1)
    if (last === undefined || span.start > last.end) joined.push(span)
    else if (span.end > last.end) joined[joined.length - 1] = { start: last.start, end: span.end }
  }
  return joined
}
