/**
 * Changes for tests, found by something simpler than the real finder: segments are known by their path, tools by their
 * name, and a text differs by words, of which it has as many before as after.
 */
import { judge } from '../verdicts/judge.ts'
import type { Exchange } from '../exchange.ts'
import type { Alignment, Changes, Culprit, CulpritKind, Hunk, Step } from '../changes/types.ts'
import { Recorder } from '../record/recorder.ts'
import { segmentsOf } from '../record/segments.ts'
import type { Segment, Turn } from '../record/types.ts'
import type { LinkedTurn, Stream } from '../streams/types.ts'
import { exchangeOf, testStart } from '../test-turns.ts'
import type { CounterfactualInput } from './counterfactuals.ts'

/** Says whose a change is: by the two words, or by what became of the segment at a path. Its kind is its id up to a space. */
export type Blame = (change: {
  readonly type: 'word' | 'moved' | 'removed' | 'inserted' | 'parameter'
  readonly path: string
  readonly before: string
  readonly after: string
}) => string | null

/** One conversation, recorded, judged and compared, each body with the one before. */
export function inputOf(
  bodies: readonly unknown[],
  blame: Blame,
  over: (index: number) => Partial<Exchange> = () => ({}),
): CounterfactualInput & { readonly turns: readonly Turn[]; readonly countTokens: (text: string) => number } {
  const recorder = new Recorder()
  const turns = bodies.map((body, index) =>
    recorder.record(exchangeOf(body, { startedAt: testStart + index * 30_000, ...over(index) })),
  )
  const linked = turns.map((turn, index): LinkedTurn => ({ turn, parent: turns[index - 1] ?? null, repeats: false }))
  const streams: readonly Stream[] = [{ id: 'stream', parent: null, family: 'family', turns: linked }]
  const { countTokens } = recorder
  const changes = new Map([['stream', changesOf(linked, blame)]])
  return { streams, judgement: judge(streams, { countTokens }), changes, turns, countTokens }
}

/** The changes of a stream. */
export function changesOf(turns: readonly LinkedTurn[], blame: Blame): Changes {
  const found = new Map<string, { turn: Turn; before: string; after: string }[]>()
  const alignments = new Map<number, Alignment>()
  for (const { turn, parent } of turns) {
    if (parent === null) continue
    const alignment = alignmentOf(parent, turn, (change) => {
      const id = blame(change)
      if (id === null) return null
      const occurrences = found.get(id) ?? []
      if (occurrences.at(-1)?.turn !== turn) occurrences.push({ turn, before: change.before, after: change.after })
      found.set(id, occurrences)
      return id
    })
    alignments.set(turn.number, alignment)
  }
  const culprits = [...found].map(([id, occurrences]): Culprit => ({
    id,
    kind: id.split(' ')[0] as CulpritKind,
    section: 'system',
    path: id.split(' ')[1] ?? 'system[0]',
    offset: null,
    anchor: { before: '', after: '' },
    scope: 'within',
    values: [],
    occurrences,
    confidence: 1,
    counts: true,
  }))
  return { alignments, culprits }
}

function alignmentOf(parent: Turn, turn: Turn, blame: Blame): Alignment {
  const [before, after] = [segmentsOf(parent), segmentsOf(turn)]
  const [names, laterNames] = [before.map(nameOf), after.map(nameOf)]
  const kept = new Set(
    inOrder(
      names.filter((name) => laterNames.includes(name)),
      laterNames,
    ),
  )
  const lastKept = laterNames.findLastIndex((name) => kept.has(name))
  const steps: Step[] = []
  for (const [to, name] of laterNames.entries()) {
    const from = names.indexOf(name)
    const [one, other] = [before[from], after[to]] as [Segment | undefined, Segment]
    const change = { path: name, before: one?.block.text ?? '', after: other.block.text ?? '' }
    if (one === undefined) {
      if (to > lastKept) steps.push({ type: 'appended', to })
      else steps.push({ type: 'inserted', to, culprit: blame({ ...change, type: 'inserted' }) })
    } else if (one.block !== other.block) {
      steps.push({ type: 'edited', from, to, hunks: hunksOf(change, blame) })
    } else if (kept.has(name)) steps.push({ type: 'same', from, to })
    else steps.push({ type: 'moved', from, to, culprit: blame({ ...change, type: 'moved' }) })
  }
  for (const [from, name] of names.entries()) {
    if (laterNames.includes(name)) continue
    const change = { path: name, before: before[from]?.block.text ?? '', after: '' }
    steps.push({ type: 'removed', from, culprit: blame({ ...change, type: 'removed' }) })
  }
  const parameters = turn.scope.flatMap(({ name, value }) => {
    const other = parent.scope.find((one) => one.name === name)?.value ?? null
    if (JSON.stringify(other) === JSON.stringify(value)) return []
    const [was, is] = [JSON.stringify(other), JSON.stringify(value)]
    return [{ name, culprit: blame({ type: 'parameter', path: name, before: was, after: is }) }]
  })
  return { turn, parent, steps, parameters, notes: [] }
}

/** Tools by their names; a reminder by its text, wherever it stands; of all else a message has one block. */
function nameOf({ block, path }: Segment): string {
  if (block.type === 'tool') return `tools ${(JSON.parse(block.text ?? '{}') as { name: string }).name}`
  return block.text?.startsWith('<reminder>') === true ? block.text : path.replace(/^(messages\[\d+\]).*/, '$1')
}

/** The longest part of `names` that is in the order of `later`, found by trying each start. */
function inOrder(names: readonly string[], later: readonly string[]): readonly string[] {
  const best: string[][] = []
  for (const [at, name] of names.entries()) {
    const longest = best
      .filter((_, earlier) => later.indexOf(names[earlier] ?? '') < later.indexOf(name))
      .reduce<string[]>((found, one) => (one.length > found.length ? one : found), [])
    best[at] = [...longest, name]
  }
  // Of two as long, the one that ends with a message and not with a reminder in front of it.
  return best.reduce<string[]>((found, one) => (one.length >= found.length ? one : found), [])
}

/** Words that differ, of two texts with as many words; otherwise all of both. */
function hunksOf({ path, before, after }: { path: string; before: string; after: string }, blame: Blame): Hunk[] {
  const [words, laterWords] = [wordsOf(before), wordsOf(after)]
  if (words.length !== laterWords.length) {
    const culprit = blame({ type: 'word', path, before, after })
    return [{ before: { start: 0, end: before.length }, after: { start: 0, end: after.length }, culprit }]
  }
  return words.flatMap((word, at) => {
    const later = laterWords[at]
    if (later === undefined || word.text === later.text) return []
    return [
      {
        before: { start: word.start, end: word.start + word.text.length },
        after: { start: later.start, end: later.start + later.text.length },
        culprit: blame({ type: 'word', path, before: word.text, after: later.text }),
      },
    ]
  })
}

function wordsOf(text: string): readonly { readonly text: string; readonly start: number }[] {
  return [...text.matchAll(/[^\s"{}:,]+/g)].map((found) => ({ text: found[0], start: found.index }))
}
