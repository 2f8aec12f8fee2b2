/**
 * Pictures and files in a conversation: told by a hash and a size, for their bytes say nothing to a person, and hold
 * whatever a detector of dates or ids looks for. They are blocks of their own, or stand inside of a result, as base64.
 */
import { digest } from '../../base/digest.ts'
import type { Block } from '../record/types.ts'
import { formatNumber } from '../words/amounts.ts'
import { isMedia } from './calls.ts'
import { ownText } from './own-text.ts'
import type { Stretch } from './stretch.ts'

/** A stretch of one text. */
type Extent = Stretch['before']

interface Picture extends Extent {
  readonly bytes: string
}

/** Base64 of some length, with the members beside it that say what it is. */
const encoded =
  /(?:"(?:media_type|mimeType|format)":"[^"]{0,100}",)?"(?:data|bytes|url|image_url|file_data)":"((?:data:[^",]{1,100},)?[A-Za-z0-9+/=_-]{256,})"(?:,"(?:media_type|mimeType|format)":"[^"]{0,100}")?/g

/** The stretches in which nothing but pictures inside of a block differs. */
export function inPictures(stretches: readonly Stretch[], first: string, second: string): Stretch[] {
  const [one, other] = [picturesIn(first), picturesIn(second)]
  if (one.length === 0 || other.length === 0) return []
  return stretches.filter(
    ({ before, after }) => holderOf(before, one) !== undefined && holderOf(after, other) !== undefined,
  )
}

/** What a block that is or holds a picture is told by; `extent` is what differs of its text. */
export function pictureValue(block: Block, text: string | null, extent: Extent): string {
  if (isMedia(block)) return label(block.type, block.digest, `${formatNumber(Math.round(block.tokens))} tokens`)
  if (text === null) return block.type
  const picture = picturesIn(text).find(({ start, end }) => start < extent.end && end > extent.start)
  if (picture !== undefined) {
    const size = Math.floor((picture.bytes.length * 3) / 4)
    return label('image', digest(picture.bytes), `${formatNumber(size)} bytes`)
  }
  const said = /"text":"((?:[^"\\]|\\.){1,200})/.exec(ownText(text, extent.start, extent.end))
  return said?.[1] ?? ownText(text, extent.start, extent.end)
}

function label(type: string, hash: string, size: string): string {
  return `${type} ${hash.slice(0, HASH)} (${size})`
}

/** Hex digits that tell two pictures of one log apart. */
const HASH = 8

function picturesIn(text: string): Picture[] {
  return [...text.matchAll(encoded)].map(({ 0: whole, 1: bytes = '', index }) => ({
    start: index,
    end: index + whole.length,
    bytes,
  }))
}

function holderOf(extent: Extent, pictures: readonly Picture[]): Picture | undefined {
  return pictures.find(({ start, end }) => extent.start >= start && extent.end <= end)
}
