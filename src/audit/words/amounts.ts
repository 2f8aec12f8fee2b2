/** Numbers as a person reads them, on any face of a report. */

/** A whole number with a comma between thousands, whatever the locale. */
export function formatNumber(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** USD to the cent, or to two digits where it is less. */
export function formatDollars(amount: number): string {
  const size = Math.abs(amount)
  const sign = amount < 0 ? '-' : ''
  if (size >= 1000) return `${sign}$${formatNumber(Math.round(size))}`
  if (size >= 0.1 || size < 0.000_05) return `${sign && size >= 0.000_05 ? sign : ''}$${size.toFixed(2)}`
  return `${sign}$${size.toFixed(size >= 0.01 ? 3 : 4)}`
}

/** An amount, or the tokens where it has no price. */
export function formatLoss(cost: number | null, tokens: number): string {
  return cost === null ? `${formatNumber(Math.round(tokens))} tokens` : formatDollars(cost)
}

/** A share from 0 to 1. */
export function formatShare(share: number): string {
  // Never -0.0.
  return `${(Math.round(1000 * share) / 10 || 0).toFixed(1)} %`
}

/** `1 turn`, `2 turns`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** Seconds, minutes, hours or days: the largest of which there are two. An hour is `1 h`. */
export function formatDuration(seconds: number): string {
  if (seconds === 3600) return '1 h'
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${formatNumber(Math.round(seconds / 86_400))} days`
}

/** Bytes in powers of 1000. */
export function formatBytes(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB']
  let size = bytes / 1000
  let unit = 0
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  return `${size.toFixed(unit === 0 ? 0 : 1)} ${units[unit]}`
}
