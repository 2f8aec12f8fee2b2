/** Session files of Claude Code, as large as one likes: the same bytes on every run and machine, but for their dates. */
import { prose, seeded } from './fixtures.ts'

const CALLS = 60
const PROJECTS = 12
/** In one of so many calls the cache is lost. */
const LOST_EVERY = 23

/** A file, and its lines. */
export interface SessionFile {
  /** Relative to the folder of projects. */
  readonly path: string
  readonly text: string
}

/** About `megabytes` of sessions, one a file, the newest ending at `end` (milliseconds) and one every two hours before. */
export function* sessionFiles(megabytes: number, end: number): Generator<SessionFile> {
  const random = seeded(43)
  let written = 0
  for (let number = 0; written < megabytes * 1e6; number++) {
    const session = `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`
    const project = `/srv/project-${number % PROJECTS}`
    const lines = [...sessionLines(session, project, random, end - number * 7_200_000)]
    const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
    written += text.length
    yield { path: `${project.replaceAll('/', '-')}/${session}.jsonl`, text }
  }
}

/** A tool loop: each call reads what the one before left, its result is said twice, as the client does. */
function* sessionLines(session: string, cwd: string, random: () => number, end: number): Generator<object> {
  let time = end - CALLS * 20_000
  let cached = 0
  let parentUuid: string | null = null
  const line = (type: string, rest: object): object => {
    const uuid = `${session.slice(0, 8)}-${Math.floor(random() * 1e12)}`
    const envelope = {
      parentUuid,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId: session,
      version: '2.1.270',
    }
    parentUuid = uuid
    time += 5000
    return { ...envelope, gitBranch: 'main', type, ...rest, uuid, timestamp: new Date(time).toISOString() }
  }
  yield line('user', { message: { role: 'user', content: prose(random, 400) } })
  for (let call = 0; call < CALLS; call++) {
    const lost = call > 0 && Math.floor(random() * LOST_EVERY) === 0
    const total = (call === 0 ? 21_000 : cached) + Math.floor(random() * 3000)
    const read = lost ? 14_000 : call === 0 ? 14_000 : cached
    const usage = {
      input_tokens: 4,
      cache_creation_input_tokens: total - read,
      cache_read_input_tokens: read,
      cache_creation: { ephemeral_5m_input_tokens: total - read, ephemeral_1h_input_tokens: 0 },
      output_tokens: 100 + Math.floor(random() * 500),
      service_tier: 'standard',
    }
    cached = total
    const message = {
      id: `msg_01${session.slice(0, 8)}${call}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-4-5-20251101',
    }
    const rest = { stop_reason: null, stop_sequence: null, usage }
    const requestId = `req_011${session.slice(0, 8)}${call}`
    const id = `toolu_01${session.slice(0, 8)}${call}`
    const text = { type: 'text', text: prose(random, 300) }
    const use = { type: 'tool_use', id, name: 'Read', input: { file_path: `${cwd}/src/${call}.ts` } }
    yield line('assistant', { message: { ...message, content: [text], ...rest }, requestId })
    yield line('assistant', { message: { ...message, content: [use], ...rest }, requestId })
    const content = prose(random, 1000 + Math.floor(random() * 12_000))
    yield line('user', {
      message: { role: 'user', content: [{ tool_use_id: id, type: 'tool_result', content }] },
      toolUseResult: { type: 'text', file: { filePath: `${cwd}/src/${call}.ts`, content, numLines: 80, startLine: 1 } },
    })
  }
}
