/**
 * Reading the host's tools at a boundary: once, together with the sources, under the same deadline and with the same
 * consequences when they cannot be read. They stand beside the context rather than in it, because they have no text.
 */
import { copyJson, equalsJson, freezeDeep, NotJsonError, type Json } from '../base/json.ts'
import { observe } from '../context/boundary.ts'
import type { Observation } from '../context/boundary.ts'
import { DuplicateSourceError } from '../context/errors.ts'
import { Unobserved } from '../context/observe.ts'
import { contentsOf, toContext } from '../context/source.ts'
import type { Source } from '../context/source.ts'
import type { Context } from '../context/index.ts'
import { ToolInvalidError } from './errors.ts'
import { TOOLS_KEY } from './tools.ts'
import type { ToldTools, ToolList } from './tools.ts'
import type { SessionsOptions, Tool } from './types.ts'

/** What a boundary read: the sources, and the tools where the host gives them. */
export interface BoundaryObservation<H> {
  readonly sources: Observation<H>
  /** The list, why it could not be read, or `null` where the caller of the adapter sends the tools. */
  readonly tools: ToolList | Unobserved | null
}

type Observe<H> = Parameters<typeof observe<H>>[1]

/** Reads a context and, where there is `tools`, the host's tools. A promise only where something is asynchronous. */
export function observeBoundary<M, H>(
  context: Context<H>,
  options: Observe<H>,
  tools: SessionsOptions<M, H>['tools'],
  toolId: (tool: Tool) => string,
  told: ToldTools | null,
): BoundaryObservation<H> | Promise<BoundaryObservation<H>> {
  const { sources, failures } = contentsOf(context)
  // Also without `tools`: the log could not tell a change of that source from one of the tools.
  if (sources.some(({ key }) => key === TOOLS_KEY)) {
    throw new DuplicateSourceError(
      TOOLS_KEY,
      `The key '${TOOLS_KEY}' is that of the session's own tools: give the source another`,
    )
  }
  if (tools === undefined) {
    const observation = observe(context, options)
    return observation instanceof Promise ? observation.then(withoutTools) : withoutTools(observation)
  }
  let list: ToolList | undefined
  const aside = toolSource(tools, (yielded) => {
    list = toToolList(yielded, toolId, told)
  })
  const finish = (observed: Observation<H>): BoundaryObservation<H> => splitOff(observed, list)
  const observation = observe(toContext<H>({ sources: [...sources, aside], failures }), options)
  return observation instanceof Promise ? observation.then(finish) : finish(observation)
}

function withoutTools<H>(observation: Observation<H>): BoundaryObservation<H> {
  return { sources: observation, tools: null }
}

/** As a source has that names none, so that both share one timer. */
const TOOLS_TIMEOUT_MS = 2000

/** A source that hands what it yields to `take`, and has nothing to say. */
function toolSource<M, H>(
  tools: NonNullable<SessionsOptions<M, H>['tools']>,
  take: (yielded: unknown) => void,
): Source<H> {
  return {
    key: TOOLS_KEY,
    codec: {
      encode(yielded) {
        take(yielded)
        return null
      },
      decode: silent,
    },
    refresh: 'turn',
    required: true,
    authority: 'system',
    timeoutMs: TOOLS_TIMEOUT_MS,
    load: ({ session, host }) => tools({ id: session!, ...(host !== undefined && { host }) }),
    baseline: silent,
    update: silent,
  }
}

function silent(): never {
  throw new TypeError('The tools of a session have no text')
}

/** Throws `ToolInvalidError` where the host gave a list that no release of it can have meant. */
function splitOff<H>(
  { context, options, readings }: Observation<H>,
  list: ToolList | undefined,
): BoundaryObservation<H> {
  const reading = readings.at(-1)
  if (reading instanceof Unobserved && reading.error instanceof ToolInvalidError) throw reading.error
  // No list is no tools that could be removed: of tools, even `absent` says no more than that they could not be read.
  const tools = list ?? (reading instanceof Unobserved ? reading : new Unobserved('unavailable'))
  const sources = {
    context: { sources: context.sources.slice(0, -1), failures: context.failures },
    options,
    readings: readings.slice(0, -1),
  }
  return { sources, tools }
}

/**
 * A frozen copy of what the host gave, by id; definitions that the model was told are those, not copies. Throws
 * `ToolInvalidError` for a list that cannot be frozen, and a `TypeError` for what is no list: that is a failed read.
 */
export function toToolList(yielded: unknown, toolId: (tool: Tool) => string, told: ToldTools | null): ToolList {
  if (!Array.isArray(yielded))
    throw new TypeError(`tools() gave ${nameOf(yielded)}. Return an array of tool definitions.`)
  const list: [id: string, tool: Tool][] = yielded.map((tool: unknown, index) => {
    if (typeof tool !== 'object' || tool === null || Array.isArray(tool)) {
      throw new ToolInvalidError(
        `Tool ${index} is ${nameOf(tool)}. Give each tool as an object, in the provider's own shape.`,
      )
    }
    const id = toolId(tool as Tool)
    const known = told?.defined.get(id)
    return [id, known !== undefined && equalsJson(tool, known as Json) ? known : copyTool(tool, id)]
  })
  list.sort(([a], [b]) => (a < b ? -1 : 1))
  const twice = list.find(([id], index) => id === list[index + 1]?.[0])
  if (twice !== undefined) {
    throw new ToolInvalidError(
      `Two tools have the id ${JSON.stringify(twice[0])}. Leave one out, or name it otherwise.`,
    )
  }
  return new Map(list)
}

function copyTool(tool: unknown, id: string): Tool {
  try {
    return freezeDeep(copyJson(tool)) as unknown as Tool
  } catch (cause) {
    if (!(cause instanceof NotJsonError)) throw cause
    throw new ToolInvalidError(
      `Tool ${JSON.stringify(id)} cannot be stored: ${cause.message}. Give its definition as plain JSON, as it is sent.`,
      { cause },
    )
  }
}

function nameOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value
}
