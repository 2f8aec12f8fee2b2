/** The repository that the agent of the bench works in, in memory: files, what of them is committed, and the branch. */
import { createFiles } from './workspace-files.ts'

/** A repository with some history, as the conversation finds it. */
export class Workspace {
  branch = 'main'
  readonly #files: Map<string, string>
  #committed: ReadonlyMap<string, string>
  #commits = 0

  constructor() {
    const files = createFiles()
    this.#files = files
    this.#committed = new Map(files)
  }

  paths(): readonly string[] {
    return [...this.#files.keys()].toSorted()
  }

  read(path: string): string | undefined {
    return this.#files.get(path)
  }

  write(path: string, text: string): void {
    this.#files.set(path, text)
  }

  /** As `git status --short`: what is tracked first. Empty where nothing differs. */
  status(): readonly string[] {
    const [tracked, untracked]: [string[], string[]] = [[], []]
    for (const path of this.paths()) {
      const committed = this.#committed.get(path)
      if (committed === undefined) untracked.push(`?? ${path}`)
      else if (committed !== this.#files.get(path)) tracked.push(` M ${path}`)
    }
    return [...tracked, ...untracked]
  }

  /** Commits these paths as they are. Returns the commit's id. */
  commit(paths: readonly string[]): string {
    const committed = new Map(this.#committed)
    for (const path of paths) {
      const text = this.#files.get(path)
      if (text !== undefined) committed.set(path, text)
    }
    this.#committed = committed
    return (0x1f3a9c40 + 7919 * ++this.#commits).toString(16)
  }
}
