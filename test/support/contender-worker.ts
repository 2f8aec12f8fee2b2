/** A contender in a process of its own. Started with `startProcess`; answers its one task with what it found. */
import { createSessions } from '../../src/index.ts'
import { sqliteStore } from '../../src/store/sqlite/index.ts'
import { contend, contendedContext, type Contender, type Findings } from './contender.ts'
import { ready } from './start-process.ts'

export interface ContenderTask extends Contender {
  readonly path: string
  readonly session: string
}

/** What the contender found, or what went wrong. */
export type ContenderResult = Findings | { readonly error: string }

async function work(task: ContenderTask): Promise<Findings> {
  const sessions = createSessions({ store: sqliteStore(task.path), context: contendedContext(task) })
  const findings = await contend(sessions.open(task.session), task)
  await sessions.close()
  return findings
}

ready<ContenderTask>((task) => {
  const answer = (result: ContenderResult): void => {
    process.send!(result, () => process.disconnect())
  }
  work(task).then(answer, (error: unknown) => answer({ error: String((error as Error).stack) }))
})
