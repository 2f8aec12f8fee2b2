/** Ids as OpenAI makes them up: a prefix that says what it is, then letters that no other has. */
import type { EndpointRequest } from '../types.ts'

/** The id of what a request makes, as `chatcmpl-…`; `part` tells apart what there are several of. */
export function idOf({ id }: Pick<EndpointRequest, 'id'>, prefix: string, part?: number): string {
  const own = id.replace(/^[a-z]+[-_]/, '')
  return `${prefix}${own}${part === undefined ? '' : String(part).padStart(2, '0')}`
}

/** Seconds since the epoch. */
export function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
