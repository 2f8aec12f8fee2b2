/**
 * A process that appends to a store. Started with `startProcess`; does one task per message and answers each, until
 * its parent disconnects.
 */
import { ready } from './start-process.ts'
import { openStore, type StoreAddress } from './store-address.ts'

/** Appends `count` events to `session` in a tight loop, with the ids `<name>-1`, `<name>-2`, ... */
export interface StoreTask {
  readonly address: StoreAddress
  readonly session: string
  readonly name: string
  readonly count: number
}

/** The revisions that the appended events got, in order; or what went wrong. */
export type StoreTaskResult = { readonly revisions: readonly number[] } | { readonly error: string }

async function append({ address, session, name, count }: StoreTask): Promise<number[]> {
  const store = openStore(address)
  const revisions: number[] = []
  let newest = 0
  while (revisions.length < count) {
    const revision = newest + 1
    const event = {
      revision,
      type: 'input',
      v: 1,
      id: `${name}-${revisions.length + 1}`,
      at: '',
      body: '{}',
      checksum: '',
    }
    if (await store.append(session, newest, [event])) {
      revisions.push(revision)
      newest = revision
    } else {
      newest = (await store.read(session, newest)).at(-1)?.revision ?? newest
    }
  }
  await store.close()
  return revisions
}

function work(task: StoreTask): void {
  const answer = (result: StoreTaskResult): void => {
    process.send!(result)
  }
  append(task).then(
    (revisions) => answer({ revisions }),
    (error: unknown) => answer({ error: String((error as Error).stack) }),
  )
}

ready<StoreTask>((first) => {
  process.on('message', work)
  work(first)
})
