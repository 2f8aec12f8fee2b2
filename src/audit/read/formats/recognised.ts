/**
 * Logs that people have and that no reader reads: they are named, and each comes with what to do instead, so that nobody
 * is told of an unknown file who has a known one. Asked only when every reader has declined; the first that fits counts.
 */
import { field, has, list, textOf } from '../../../cache/layout/peek.ts'
import type { Head } from '../types.ts'

/** A format that is known and not read. */
interface OtherFormat {
  readonly id: string
  readonly title: string
  /** What to do, in a sentence. */
  readonly advice: string
}

interface Recognised extends OtherFormat {
  /** `first` is the file's first value, as far as the head has it; `lines` are records of one line each. */
  recognises(first: unknown, lines: Head['records'], text: string): boolean
}

const proxied = 'record whole requests with a proxy, as claude-tap or mitmproxy with hardump, and audit what it writes.'

const formats: readonly Recognised[] = [
  {
    id: 'indelible-store',
    title: 'Indelible session database',
    advice:
      'use `indelible inspect` on it; an audit reads the requests that were sent, as a recorder or proxy logs them.',
    recognises: (_first, _lines, text) => isSqlite(text) && text.includes('indelible_events'),
  },
  {
    id: 'sqlite',
    title: 'SQLite database',
    advice: 'export its rows as JSON lines first, as `opencode export` or the tool that wrote it does.',
    recognises: (_first, _lines, text) => isSqlite(text),
  },
  {
    id: 'mitmproxy-flow',
    title: 'mitmproxy flows',
    advice: 'convert them with `mitmdump -nr FILE --set hardump=out.har`, and audit out.har.',
    recognises: (_first, _lines, text) => /^\d+:\d+:[a-z_]+[;,]/.test(text),
  },
  {
    id: 'claude-code-stream',
    title: 'Claude Code stream output',
    advice: 'it lacks what was asked; audit the session file below ~/.claude/projects instead.',
    recognises: (_first, lines) =>
      lines.some(
        (line) => textOf(line, 'type') === 'system' && textOf(line, 'subtype') === 'init' && has(line, 'session_id'),
      ),
  },
  {
    id: 'prompt-history',
    title: 'History of prompts of Claude Code or Codex',
    advice: 'it has no answers; audit ~/.claude/projects or ~/.codex/sessions instead.',
    recognises: (_first, [line]) =>
      (has(line, 'display') && has(line, 'pastedContents')) ||
      (Object.keys(line ?? {}).length === 3 && has(line, 'session_id') && has(line, 'ts') && has(line, 'text')),
  },
  {
    id: 'codex-old',
    title: 'Codex rollout of before September 2025',
    advice: `it has no counts of tokens; ${proxied}`,
    recognises: (_first, lines) =>
      lines.some((line) => textOf(line, 'record_type') === 'state') ||
      (has(lines[0], 'id') && has(lines[0], 'instructions') && !has(lines[0], 'payload') && !has(lines[0], 'model')),
  },
  {
    id: 'opencode',
    title: 'opencode session',
    advice: `it keeps no requests; ${proxied}`,
    recognises: (first) =>
      (has(first, 'info') && list(field(first, 'messages')).some((message) => has(message, 'parts'))) ||
      (has(first, 'sessionID') && (has(first, 'role') || has(first, 'messageID'))),
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI chat',
    advice: `it keeps neither system prompt nor tools; ${proxied}`,
    recognises: (first, [line]) => [first, line].some((each) => has(each, 'sessionId') && has(each, 'projectHash')),
  },
  {
    id: 'cline',
    title: 'Cline or Roo task',
    advice: `it keeps the last state of the conversation only; ${proxied}`,
    recognises: (first) => list(first).some((message) => has(message, 'say') || has(message, 'ask')),
  },
  {
    id: 'goose',
    title: 'goose request log',
    advice: `goose keeps ten calls only; ${proxied}`,
    recognises: (first, [line]) => [first, line].some((each) => has(each, 'model_config') && has(each, 'input')),
  },
  {
    id: 'openclaw',
    title: 'OpenClaw cache trace',
    advice: `it has neither tools nor usage; ${proxied}`,
    recognises: (_first, lines) => lines.some((line) => has(line, 'stage') && has(line, 'runId') && has(line, 'seq')),
  },
  {
    id: 'copilot-chat',
    title: 'VS Code Copilot Chat debug log',
    advice: `it has no bodies; ${proxied}`,
    recognises: (_first, lines) =>
      lines.some((line) => textOf(line, 'type') === 'llm_request' && has(field(line, 'attrs'), 'inputTokens')),
  },
  {
    id: 'aider',
    title: 'aider history',
    advice: `it has no usage; ${proxied}`,
    recognises: (_first, _lines, text) =>
      /^\s*# aider chat started at /.test(text) || /^(?:TO LLM|LLM RESPONSE) \d{4}-\d{2}-\d{2}T/.test(text),
  },
  {
    id: 'lhar',
    title: 'LHAR of context-lens',
    advice: 'audit the recorded requests of context-lens, or a HAR of the same traffic, instead.',
    recognises: (first, lines) =>
      has(field(first, 'lhar'), 'version') ||
      lines.some(
        (line) =>
          has(line, 'trace_id') &&
          (has(line, 'usage_ext') || (textOf(line, 'type') === 'session' && has(line, 'tool'))),
      ),
  },
  {
    id: 'langsmith',
    title: 'LangSmith runs',
    advice: `it has the prompt as LangChain saw it; ${proxied}`,
    recognises: (first, lines) =>
      [first, ...list(first), ...lines].some(
        (run) => has(run, 'run_type') && (has(run, 'inputs') || has(run, 'dotted_order')),
      ),
  },
  {
    id: 'openhands',
    title: 'OpenHands completion',
    advice: `it has the prompt as LiteLLM saw it; switch on a log of LiteLLM's own, or ${proxied}`,
    recognises: (first) =>
      has(first, 'messages') && has(first, 'response') && has(first, 'args') && has(first, 'kwargs'),
  },
  {
    id: 'trajectory',
    title: 'Trajectory of an agent (mini-swe-agent, SWE-agent, tau-bench)',
    advice: `it has messages without the requests that they were sent in; ${proxied}`,
    recognises: (first) => isTrajectory(first),
  },
]

/** The format of a file that nothing reads; undefined where it is none of those known here. */
export function recogniseOther({ start, records, text }: Head): OtherFormat | undefined {
  const found = formats.find((format) => format.recognises(start ?? records[0], records, text))
  return found === undefined ? undefined : { id: found.id, title: found.title, advice: found.advice }
}

function isSqlite(text: string): boolean {
  return text.startsWith('SQLite format 3\0')
}

function isTrajectory(first: unknown): boolean {
  const [entry] = list(first)
  const isChat = typeof field(entry, 'role') === 'string' && has(entry, 'content')
  if (isChat || has(entry, 'traj')) return true
  if (has(first, 'trajectory_format') || (has(first, 'trajectory') && has(first, 'history'))) return true
  return has(first, 'simulations') && has(first, 'tasks')
}
