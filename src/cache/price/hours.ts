/** Hours of the day in the documents of others, as minutes since midnight UTC. */

/** `16:30-00:30`; the same time twice is the whole day. */
export function readHours(value: unknown): readonly [number, number] | undefined {
  if (typeof value !== 'string') return undefined
  const [start, end, ...more] = value.split('-').map(readTime)
  if (start === undefined || end === undefined || more.length > 0) return undefined
  return [start, end]
}

/** `HH:MM`, with seconds and `Z` allowed behind; `undefined` for another zone. */
export function readTime(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  const found = /^(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?Z?$/.exec(value.trim())
  if (found === null) return undefined
  const minute = Number(found[1]) * 60 + Number(found[2])
  return minute < 1440 ? minute : minute === 1440 ? 0 : undefined
}
