/** Who writes, until a response begins: one request, or several that write the same. */

/** As it stands to others. */
export interface Writer {
  readonly request: number
  /** Not begun, by the caller's word. */
  readonly pending: boolean
  /** When the response began or may be taken to have, where the times say so. */
  readonly readableAt: number | undefined
}

/** The writer of one request, which begins once, or never. */
export interface OwnWriter extends Writer {
  pending: boolean
  readableAt: number | undefined
  abandoned: boolean
}

/** Of many that write the same, the first are the likeliest to begin first. */
const MOST_WRITERS = 16

/** Readable as soon as one of them is. */
class WriterGroup implements Writer {
  readonly members: readonly OwnWriter[]

  constructor(members: readonly OwnWriter[]) {
    this.members = members
  }

  get request(): number {
    return (this.members.find(({ abandoned }) => !abandoned) ?? this.members[0])?.request ?? 0
  }

  get pending(): boolean {
    return this.members.every(({ pending }) => pending)
  }

  get readableAt(): number | undefined {
    let earliest = Infinity
    for (const { pending, readableAt } of this.members) {
      if (pending) continue
      if (readableAt === undefined) return undefined
      earliest = Math.min(earliest, readableAt)
    }
    return earliest
  }
}

/** `own` writes what `writer` does. Whoever was given up is left out; beyond some few, one more makes no difference. */
export function joinWriters(writer: Writer, own: OwnWriter): Writer {
  const members = membersOf(writer).filter(({ abandoned }) => !abandoned)
  if (members.length === 0) return own
  return members.length < MOST_WRITERS ? new WriterGroup([...members, own]) : writer
}

/** True where nobody writes any more. */
export function isAbandoned(writer: Writer): boolean {
  const members = membersOf(writer)
  return members.length > 0 && members.every(({ abandoned }) => abandoned)
}

function membersOf(writer: Writer): readonly OwnWriter[] {
  if (writer instanceof WriterGroup) return writer.members
  return 'abandoned' in writer ? [writer as OwnWriter] : []
}
