/**
 * The `indelible` command: reads its arguments, runs one of its commands, and turns what went wrong into a message and an
 * exit code.
 */
import { createRequire } from 'node:module'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { groupings } from '../audit/spending/types.ts'
import { IndelibleError } from '../base/error.ts'
import type { AuditCommandOptions } from './audit/command.ts'
import { checkOptions } from './audit/find/check-options.ts'
import { parseHitRate, parseTokenLimit, parseTurnCount } from './audit/gates/arguments.ts'
import type { DemoOptions } from './demo/command.ts'
import { PROVIDER_NAMES } from './demo/providers/names.ts'
import { MAX_TURNS } from './demo/script.ts'
import type { EmulateOptions } from './emulate/command.ts'
import type { ExplainCommandOptions } from './explain/command.ts'
import { CommandError } from './errors.ts'
import type { InspectOptions } from './inspect/command.ts'
import { processOutput, type Output } from './output.ts'
import type { RecordOptions } from './record/command.ts'
import type { SkillOptions } from './skill/command.ts'

/** Done; a check failed; the arguments are wrong, or what they name cannot be used; too little is there to check. Any other: that of a recorded command. */
export type ExitCode = number

/** Runs the command line `args`, the name of the program left out. */
export async function main(args: readonly string[], output: Output = processOutput()): Promise<ExitCode> {
  let exitCode: ExitCode = 0
  const program = createProgram(output, (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    // Commander has written its message already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const message = messageOf(error)
    if (message === undefined) throw error
    output.writeError(`indelible: ${message}\n`)
    return 2
  }
}

/** What to tell of an error that a user can do something about; `undefined` for a mistake of ours, which needs its stack. */
function messageOf(error: unknown): string | undefined {
  if (error instanceof CommandError || IndelibleError.isInstance(error)) return error.message
  return error instanceof Error && 'syscall' in error ? error.message : undefined
}

function createProgram(output: Output, finish: (code: ExitCode) => void): Command {
  const program = new Command('indelible')
    .description('Keeps the start of an LLM conversation the same, and tells the model about changes by appending.')
    .version(version(), '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.write(text),
      writeErr: (text) => output.writeError(text),
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText(
      'after',
      `
Examples:
  indelible audit                       what your agents spent, and lost
  indelible audit logs/                 what broke the cache, and what it cost
  indelible record -- node agent.js     log what an agent sends, and audit it
  indelible demo                        watch a conversation keep its prefix
  indelible inspect FILE                list the sessions in a SQLite file
  indelible inspect FILE ID --verify    replay one of them against its log
  indelible emulate                     play the provider, and count its caches
  indelible explain A.json B.json       what the cache can reuse of A for B

Exit codes:
  0  done
  1  a check failed: a gate of an audit, the demo's own, or the replay of a
     session
  2  the arguments are wrong, or what they name cannot be used
  3  a gate was set, and the log has too few turns to check it`,
    )

  program
    .command('audit')
    .description('Read request logs, and show what broke the cache on each turn, what it cost, and what to change.')
    .argument(
      '[path...]',
      'logs, folders with logs, zip or gzip files of them, or - for standard input; without one, what Claude Code and Codex keep',
    )
    .option('--since <when>', 'without a path: count from this day (UTC) or so long ago, as 7d or 12h (default: 30d)')
    .addOption(new Option('--by <what>', 'without a path: sums by it too').choices(groupings))
    .option('--json', 'print the report as JSON (indelible.audit/1, without a path indelible.spending/1)')
    .option('--all', 'print every turn, culprit and remark, not only what fits on two screens')
    .option('--include-text', 'show texts of the logs; what looks like a key stays masked')
    .addOption(
      new Option(
        '--updates <which>',
        'the changes that cost an update in a fixed conversation: all but clocks and ids, or all',
      )
        .choices(['values', 'all'])
        .default('values'),
    )
    .option('--provider <name>', 'whose rules, where the logs do not tell')
    .option('--model <id>', 'the model, where neither bodies nor logs name it')
    .option('--prices <file>', 'a price list of LiteLLM, models.dev or genai-prices, for models that have none')
    .option(
      '--prefill <tokens-per-second>',
      'show seconds in place of dollars, of a server that processes so many tokens of a prompt a second',
      parseRate,
    )
    .option(
      '--source [file]',
      'the changes as code: written to this new file, or printed where it stands behind the paths',
    )
    .option('--html <file>', 'write the report as a page too, which loads nothing and can be sent to somebody')
    .option('--compare', 'show two logs, or reports that were saved as JSON, side by side: BEFORE AFTER')
    .option(
      '--max-rewritten-tokens <n>',
      'fail when the rules lose more tokens as rewritten, scope and unmarked',
      parseTokenLimit,
    )
    .option('--min-hit-rate <rate>', 'fail when less of what could be read is, by the rules: 0.95, 95%', parseHitRate)
    .option('--baseline <file>', 'fail on a culprit that this report (JSON) has not, and on 10 % more loss per turn')
    .option('--min-turns <n>', 'turns that there must be to check any of it (default: 2)', parseTurnCount)
    .addHelpText(
      'after',
      `
Read are JSON lines with request bodies, HAR, claude-trace, claude-tap, sessions
and raw bodies of Claude Code, Codex rollouts, vcrpy, go-vcr, httpmock and nock
cassettes, AI SDK DevTools, LiteLLM, Langfuse and OpenTelemetry GenAI. Nothing
leaves this machine. Dollars are list prices.

Examples:
  indelible audit                       what your agents spent, and lost
  indelible audit --since 7d --by day
  indelible audit requests.jsonl
  indelible audit ~/.claude/projects --all
  indelible audit logs.zip --json > report.json
  zcat requests.jsonl.gz | indelible audit -
  indelible audit requests.jsonl --html report.html
  indelible audit requests.jsonl --source context.ts
  indelible audit --compare before.jsonl after.jsonl
  indelible audit requests.jsonl --min-hit-rate 95% --baseline report.json

Exit codes: 0 done, and every gate that was set is kept; 1 a gate failed; 2 the
arguments are wrong, or nothing can be read; 3 too few turns to check.`,
    )
    .action(async (paths: string[], options: AuditCommandOptions, command: Command) => {
      checkOptions(
        paths,
        Object.keys(options).filter((name) => command.getOptionValueSource(name) === 'cli'),
      )
      const { runAudit } = await import('./audit/command.ts')
      finish(await runAudit(paths, options, version(), output))
    })

  program
    .command('record')
    .description('Pass requests through on this machine, write them to a file as they were sent, and audit it.')
    .argument('[command...]', 'a program to run and record, behind --; otherwise, whatever comes until Ctrl-C')
    .option(
      '--upstream <url>',
      'where all requests go; otherwise, to the provider of each, or where base URLs are set to',
    )
    .option('--out <file>', 'write exchanges to this file, a new one; otherwise to a temporary folder')
    .option('--emulate', 'answer from the emulator, without keys and network')
    .option('--script <file>', 'answers of --emulate, as of indelible emulate')
    .option('--port <number>', 'port to listen on; 0 takes a free one', parsePort, 0)
    .addHelpText(
      'after',
      `
The program gets the base URLs that SDKs and agents read (ANTHROPIC_BASE_URL,
OPENAI_BASE_URL, GOOGLE_GEMINI_BASE_URL and others), and ends as it would alone:
its streams, signals and exit code are its own, the report goes to standard
error. Requests and answers pass unchanged. Keys are passed on, and not stored;
prompts are, in a file that only you can read.

Examples:
  indelible record -- node agent.js
  indelible record --out before.jsonl -- claude -p "What is in here?"
  indelible record --emulate -- python agent.py
  indelible record --upstream http://localhost:8000`,
    )
    .action(async (command: string[], options: RecordOptions) => {
      const { runRecord } = await import('./record/command.ts')
      finish(await runRecord(command, options, version(), output))
    })

  program
    .command('demo')
    .description(
      'Run a scripted agent over a real git repository, and show what each request reads from the cache and costs.',
    )
    .addOption(
      new Option('--provider <name>', 'whose requests are built and billed')
        .choices(PROVIDER_NAMES)
        .default(PROVIDER_NAMES[0]),
    )
    .option(
      '--turns <count>',
      `how many turns to run, from 1 to ${MAX_TURNS} (default: 12; 36 with google, which caches no short prompts)`,
      parseTurns,
    )
    .option('--repo <path>', 'work on a clone of this repository instead of a made one')
    .option('--out <file>', 'keep the session in this SQLite file, a new one; otherwise in a temporary file')
    .option('--logs <folder>', 'write the requests of each way there as JSON lines; otherwise to a temporary folder')
    .option('--json', 'print the bills as JSON')
    .addHelpText(
      'after',
      `
Needs no key and no network: the model is scripted, its tool calls are real, and
a strict emulator of the provider bills each request.

Examples:
  indelible demo
  indelible demo --provider openai-responses
  indelible demo --turns 40 --out demo.sqlite
  indelible demo --repo . --json`,
    )
    .action(async (options: DemoOptions) => {
      // Loaded when it is asked for: `node:sqlite` has a warning of its own on older releases of Node.
      const { runDemo } = await import('./demo/command.ts')
      finish(await runDemo(options, output))
    })

  program
    .command('inspect')
    .description('Show what a SQLite file holds: its sessions, or the epochs, updates and events of one.')
    .argument('<file>', 'a file that sqliteStore or the demo wrote; it is only read')
    .argument('[session]', 'the id of one session')
    .option('--verify', 'replay the log against the laws; exit with 1 when there is a problem')
    .option('--json', 'print as JSON, with whole texts')
    .addHelpText(
      'after',
      `
Examples:
  indelible inspect demo.sqlite
  indelible inspect demo.sqlite demo
  indelible inspect demo.sqlite --verify`,
    )
    .action(async (file: string, session: string | undefined, options: InspectOptions) => {
      const { runInspect } = await import('./inspect/command.ts')
      finish(await runInspect(file, session, options, output))
    })

  program
    .command('emulate')
    .description('Answer as Anthropic, OpenAI and Gemini do, on this machine, and count what their caches would hold.')
    .option('--port <number>', 'port to listen on; 0 takes a free one', parsePort, 4010)
    .option('--host <address>', 'address to listen on', parseHost, '127.0.0.1')
    .option('--strict', 'refuse what the provider would refuse')
    .option('--script <file>', 'answer with what this file holds: JSON, one answer or a list')
    .option('--log <file>', 'append a line of JSON for each request to this file')
    .option('--max-body <megabytes>', 'refuse bodies that are larger', parseMegabytes, 32)
    .addHelpText(
      'after',
      `
Answers repeat what the user said last, unless a script holds them: of a list,
each request takes the next. Usage is what the provider's cache rules come to,
in estimated tokens.

  [{ "toolCalls": [{ "name": "read", "input": { "path": "a.txt" } }] },
   { "text": "Done." }]

Examples:
  indelible emulate
  indelible emulate --port 0 --strict --log requests.jsonl`,
    )
    .action(async (options: EmulateOptions) => {
      const { runEmulate } = await import('./emulate/command.ts')
      finish(await runEmulate(options, output))
    })

  program
    .command('explain')
    .description('Show what the cache can reuse of one request for the next, and why not of the rest.')
    .argument('<before>', 'a JSON file with the body of a request, or a log entry that holds one')
    .argument('<after>', 'the request that was sent after it')
    .option('--provider <name>', 'whose rules; by the format and the model unless given')
    .option('--model <id>', 'the model, where the bodies do not name it')
    .option('--gap <seconds>', 'time between the two', parseSeconds, 60)
    .option('--json', 'print as JSON')
    .addHelpText(
      'after',
      `
Bodies of Anthropic, OpenAI (Chat Completions and Responses), Gemini and Bedrock
Converse are read. Tokens are estimates, dollars list prices of today.

Examples:
  indelible explain turn-1.json turn-2.json
  indelible explain turn-1.json turn-2.json --gap 600`,
    )
    .action(async (before: string, after: string, options: ExplainCommandOptions) => {
      const { runExplain } = await import('./explain/command.ts')
      finish(await runExplain({ before, after }, options, output))
    })

  program
    .command('skill')
    .description('Print the instructions by which a coding agent finds and fixes what breaks a prompt cache.')
    .option('--out <folder>', 'install them as a skill in this folder of skills')
    .option('--force', 'write over a skill that is there')
    .addHelpText(
      'after',
      `
Examples:
  indelible skill
  indelible skill --out .claude/skills      for Claude Code
  indelible skill --out .agents/skills      for Codex`,
    )
    .action(async (options: SkillOptions) => {
      const { runSkill } = await import('./skill/command.ts')
      finish(await runSkill(options, output))
    })
  return program
}

function parseRate(text: string): number {
  const rate = Number(text)
  if (!/^\d+(?:\.\d+)?$/.test(text) || rate <= 0) throw new InvalidArgumentError('Give tokens a second, above 0.')
  return rate
}

function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (!/^\d+(?:\.\d+)?$/.test(text)) throw new InvalidArgumentError('Give seconds, 0 or more.')
  return seconds
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('Give a whole number from 0 to 65535.')
  return port
}

function parseHost(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Give an address of this machine.')
  return text
}

function parseMegabytes(text: string): number {
  const megabytes = Number(text)
  if (!/^\d+(?:\.\d+)?$/.test(text) || megabytes <= 0) throw new InvalidArgumentError('Give a number above 0.')
  return megabytes
}

function parseTurns(text: string): number {
  const turns = Number(text)
  if (!/^\d+$/.test(text) || turns < 1 || turns > MAX_TURNS) {
    throw new InvalidArgumentError(`Give a whole number from 1 to ${MAX_TURNS}.`)
  }
  return turns
}

/** The package finds itself by name, from wherever its files were built to. */
function version(): string {
  return (createRequire(import.meta.url)('indelible/package.json') as { version: string }).version
}
