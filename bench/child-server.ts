/** Servers in processes of their own, so that what is measured does not share a thread with them. */
import { fork, type ChildProcess } from 'node:child_process'

/** Starts a script, which prints the port that it listens on as its first line. */
export async function startServer(
  script: URL,
  ...args: readonly string[]
): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(script, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.stdout?.once('data', (line: Buffer) => {
      resolve(Number(line.toString()))
    })
  })
  return { child, port }
}
