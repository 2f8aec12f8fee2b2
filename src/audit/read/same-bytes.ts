/** Bytes compared and summed up four at a time, wherever they begin: most of a log passes here. */

/** Some bytes of a view. */
export interface Stretch {
  readonly view: DataView
  readonly from: number
  readonly length: number
}

/** A view of exactly these bytes. */
export function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length)
}

/** True where `all` has the bytes of `part` at `at`. */
export function hasBytes(all: DataView, at: number, { view, from, length }: Stretch): boolean {
  if (at + length > all.byteLength) return false
  let done = 0
  for (const end = length - 15; done < end; done += 16) {
    const one = at + done
    const other = from + done
    if (
      all.getInt32(one) !== view.getInt32(other) ||
      all.getInt32(one + 4) !== view.getInt32(other + 4) ||
      all.getInt32(one + 8) !== view.getInt32(other + 8) ||
      all.getInt32(one + 12) !== view.getInt32(other + 12)
    ) {
      return false
    }
  }
  for (; done < length; done++) if (all.getUint8(at + done) !== view.getUint8(from + done)) return false
  return true
}

/** A number for the bytes of `view` from `from` to `to`. */
export function sumOf(view: DataView, from: number, to: number): number {
  let sum = 0
  let at = from
  for (const end = to - 3; at < end; at += 4) sum = mixed(sum, view.getInt32(at))
  for (; at < to; at++) sum = mixed(sum, view.getUint8(at))
  return sum
}

function mixed(sum: number, value: number): number {
  const next = Math.imul(sum ^ value, 0x01000193)
  return next ^ (next >>> 15)
}
