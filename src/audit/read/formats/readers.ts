/**
 * Every log format that is read. The first that recognises a file reads it, so the most telling shapes are asked first;
 * shapes that many formats share are asked last, when the file is none that is known and not read either.
 */
import type { LogReader } from '../types.ts'
import { aiSdkDevtools } from './ai-sdk-devtools.ts'
import { claudeCodeBodies } from './claude-code-bodies.ts'
import { claudeCode } from './claude-code.ts'
import { claudeTap } from './claude-tap.ts'
import { claudeTrace } from './claude-trace.ts'
import { codex } from './codex.ts'
import { genericJsonl } from './generic-jsonl.ts'
import { goVcr } from './go-vcr.ts'
import { har } from './har.ts'
import { helicone } from './helicone.ts'
import { httpmock } from './httpmock.ts'
import { inspect } from './inspect.ts'
import { jsonBodies } from './json-bodies.ts'
import { langfuse } from './langfuse.ts'
import { liteLlm } from './litellm.ts'
import { nock } from './nock.ts'
import { opencodeRecorder } from './opencode-recorder.ts'
import { otelGenAi } from './otel-genai.ts'
import { pi } from './pi.ts'
import { vcrpy } from './vcrpy.ts'

/** Formats of one tool each. */
export const readers: readonly LogReader[] = [
  claudeTrace,
  claudeTap,
  claudeCodeBodies,
  har,
  claudeCode,
  codex,
  pi,
  inspect,
  helicone,
  vcrpy,
  goVcr,
  opencodeRecorder,
  httpmock,
  nock,
  aiSdkDevtools,
  liteLlm,
  langfuse,
  otelGenAi,
]

/** Anything that has request bodies in it. */
export const looseReaders: readonly LogReader[] = [jsonBodies, genericJsonl]
