/**
 * A PostgreSQL server of our own, started from the binaries that a Debian package brings, to be killed.
 *
 * It is as durable as a server in production (fsync stands at its default, on): what is tested is what survives. It
 * listens on 127.0.0.1 alone, at a port that was free, trusts whoever connects, and lives in a temporary folder. As root it
 * runs as user `postgres`, because PostgreSQL refuses to run as root.
 */
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

const run = promisify(execFile)

/** The database and the superuser that `initdb` makes. */
const NAME = 'postgres'

/** How long a server may take to start, to recover or to be gone, in milliseconds. For what hangs. */
const PATIENCE_MS = 300_000

/** Between two looks at whether it has. */
const PAUSE_MS = 20

/** The folder with `initdb` and `postgres` of the newest installed release; undefined where there is none that can run. */
export const postgresBinaries: string | undefined = findBinaries()

export class PostgresCluster {
  readonly port: number
  readonly folder: string
  readonly #account: Account
  readonly #settings: Readonly<Record<string, string>>
  #server: ChildProcess | undefined
  readonly #killOnExit = (): void => {
    for (const pid of this.#server?.pid === undefined ? [] : processTree(this.#server.pid)) kill(pid)
  }

  /** Makes a cluster and starts it. Needs {@link postgresBinaries}. `settings` are of the server. */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<PostgresCluster> {
    const account = accountOf(NAME)
    const folder = await mkdtemp(join(tmpdir(), 'indelible-postgres-'))
    if (account.uid !== undefined) chownSync(folder, account.uid, account.gid!)
    const cluster = new PostgresCluster(folder, await freePort(), account, settings)
    const options = ['--username', NAME, '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C']
    await run(join(postgresBinaries!, 'initdb'), ['--pgdata', cluster.#data, ...options], { ...account, cwd: folder })
    await cluster.restart()
    return cluster
  }

  private constructor(folder: string, port: number, account: Account, settings: Readonly<Record<string, string>>) {
    this.folder = folder
    this.port = port
    this.#account = account
    this.#settings = settings
    process.on('exit', this.#killOnExit)
  }

  get #data(): string {
    return join(this.folder, 'data')
  }

  /** What the server wrote to its log. */
  get log(): Promise<string> {
    return readFile(join(this.folder, 'log'), 'utf8')
  }

  /** `name` is what the server calls whoever uses it (`application_name`). */
  connectionString(name: string = 'test'): string {
    return `postgres://${NAME}@127.0.0.1:${this.port}/${NAME}?application_name=${encodeURIComponent(name)}`
  }

  /** Starts the server, and resolves when it has recovered and takes connections. */
  async restart(): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(this.port),
      unix_socket_directories: this.folder,
      max_connections: '200',
      restart_after_crash: 'on',
      // Statements that lose a race are no news.
      log_min_messages: 'log',
      ...this.#settings,
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    // The shell opens the log as the user that the server runs as, and then becomes the server.
    const server = spawn(
      '/bin/sh',
      ['-c', 'exec "$@" >>log 2>&1', 'sh', join(postgresBinaries!, 'postgres'), '-D', this.#data, ...flags],
      { ...this.#account, cwd: this.folder, stdio: 'ignore' },
    )
    this.#server = server
    await this.ready()
  }

  /** Resolves when the server takes connections: it has started, or recovered after it lost a process. */
  async ready(): Promise<void> {
    for (const end = performance.now() + PATIENCE_MS; !(await this.#takesConnections());) {
      if (this.#server?.exitCode !== null || performance.now() > end) {
        throw new Error(`The PostgreSQL server takes no connections. Its log ends: ${(await this.log).slice(-2000)}`)
      }
      await setTimeout(PAUSE_MS)
    }
  }

  async #takesConnections(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.connectionString(), connectionTimeoutMillis: 10_000 })
    // A server that dies right after it took the connection.
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return true
    } catch {
      return false
    }
  }

  /**
   * Kills the server's first process, as if the system ran out of memory. With `'whole'`, all of its processes at once;
   * with `'first'`, the others find out by themselves and may finish what they are at. Resolves when all are gone, because
   * a server does not start on the data of another that has not ended.
   */
  async kill(what: 'first' | 'whole'): Promise<void> {
    const server = this.#server!
    const ended = once(server, 'exit')
    // Stopped first, so that it starts no process that we would not know of.
    server.kill('SIGSTOP')
    await until('stop', () => statusOf(server.pid!)?.state === 'T')
    const others = processTree(server.pid!).slice(1)
    server.kill('SIGKILL')
    if (what === 'whole') others.forEach(kill)
    await ended
    await until('end', () => !others.some(isAlive))
  }

  /**
   * Kills one of the processes that serve a client, if there is one; the first process then ends all others, recovers and
   * goes on by itself. Tells whether there was one.
   */
  killBackend(choose: (pids: readonly number[]) => number): boolean {
    const pids = childrenOf(this.#server!.pid!).filter((pid) => titleOf(pid).includes(`127.0.0.1(`))
    if (pids.length === 0) return false
    kill(choose(pids))
    return true
  }

  /** Ends the server and removes its folder. */
  async remove({ keepFolder = false }: { keepFolder?: boolean } = {}): Promise<void> {
    if (this.#server?.exitCode === null && this.#server.signalCode === null) await this.kill('whole')
    process.off('exit', this.#killOnExit)
    if (!keepFolder) await rm(this.folder, { recursive: true, force: true })
  }
}

/** Whom a process runs as: somebody else, or, without numbers, whoever runs this. */
interface Account {
  readonly uid?: number
  readonly gid?: number
}

function accountOf(name: string): Account {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' })))
  return { uid: uid!, gid: gid! }
}

function findBinaries(): string | undefined {
  // Processes are found in /proc.
  if (process.platform !== 'linux') return undefined
  const packages = '/usr/lib/postgresql'
  const releases = existsSync(packages) ? readdirSync(packages).sort((a, b) => Number(b) - Number(a)) : []
  const folder = releases
    .map((release) => join(packages, release, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')))
  try {
    if (folder !== undefined) accountOf(NAME)
    return folder
  } catch {
    return undefined
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return (address as { port: number }).port
}

/** A process and all that it has started, itself first. */
function processTree(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(processTree)]
}

function childrenOf(pid: number): number[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return processes.map(Number).filter((other) => statusOf(other)?.parent === pid)
}

/** Resolves when processes of a server have come to that. */
async function until(what: string, condition: () => boolean): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !condition();) {
    if (performance.now() > end) throw new Error(`Processes of a PostgreSQL server did not ${what}`)
    await setTimeout(PAUSE_MS / 4)
  }
}

/** Neither gone nor a zombie. */
function isAlive(pid: number): boolean {
  const status = statusOf(pid)
  return status !== undefined && status.state !== 'Z'
}

function statusOf(pid: number): { readonly state: string; readonly parent: number } | undefined {
  const text = readProcess(pid, 'stat')
  // The name, in brackets, may hold anything.
  const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return text === '' ? undefined : { state: state!, parent: Number(parent) }
}

/** What PostgreSQL says that the process does. */
function titleOf(pid: number): string {
  return readProcess(pid, 'cmdline').replaceAll('\0', ' ')
}

function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
