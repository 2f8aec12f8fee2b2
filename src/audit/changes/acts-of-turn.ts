/**
 * Findings of one turn that are one act: twenty calls under other ids are one thing that happened. That a request shows
 * pictures is a parameter, and where one was taken away, it is that act which changed it.
 */
import type { Blame, Finding } from './finding.ts'
import { commonPath } from './paths.ts'

/** The findings of a turn, with those that are one act as one. */
export function actsOfTurn(findings: readonly Finding[]): Finding[] {
  const result: Finding[] = []
  const acts = new Map<string, Finding[]>()
  for (const finding of findings) {
    const { form, section, isTail } = finding
    if (form.type === 'span') {
      result.push(finding)
      continue
    }
    const key = JSON.stringify([form.kind, form.key, form.counting, section, isTail])
    const list = acts.get(key)
    if (list === undefined) acts.set(key, [finding])
    else list.push(finding)
  }
  for (const list of acts.values()) result.push(together(list))
  return withoutConsequence(result)
}

function together(list: readonly Finding[]): Finding {
  const [first] = list as readonly [Finding, ...Finding[]]
  if (list.length === 1) return first
  const blames: Blame[] = []
  const paths: string[] = []
  for (const finding of list) {
    blames.push(...finding.blames)
    paths.push(finding.path)
  }
  return { ...first, path: commonPath(paths), isMarked: list.some(({ isMarked }) => isMarked), blames }
}

function withoutConsequence(findings: Finding[]): Finding[] {
  const cause = findings.findIndex(({ form }) => form.type === 'act' && form.kind === 'image-replaced')
  const effect = findings.findIndex(({ path }) => path === 'parameter images')
  const [act, parameter] = [findings[cause], findings[effect]]
  if (act === undefined || parameter === undefined) return findings
  findings[cause] = { ...act, blames: [...act.blames, ...parameter.blames] }
  return findings.toSpliced(effect, 1)
}
