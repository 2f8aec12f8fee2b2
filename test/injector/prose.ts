/** Text that looks like prose, from a seed. */
import type { Random } from '../support/random.ts'

const words =
  'the of and to in that it was for on with as his they at be this from have or by one had not but what all were when we there can an your which their said if do will each about how up out them then she many some so these would other into has more her two like him see time could no make than first been its who now people my made over did down only way find use may water long little very after words called just where most know'.split(
    ' ',
  )

/** Some `length` characters of it. */
export function prose(random: Random, length: number): string {
  const parts: string[] = []
  let size = 0
  while (size < length) {
    const word = random.pick(words)
    parts.push(random.chance(0.08) ? `${word}.` : word)
    size += word.length + 1
  }
  return parts.join(' ')
}
