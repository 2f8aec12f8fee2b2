import { describe, expect, it } from 'vitest'
import { conversation, instructions, link, linkBodies, type Body } from './test-conversation.ts'

/** The families of conversations that each are one stream, as numbers in the order of their appearance. */
function families(all: readonly (readonly Body[])[]): number[] {
  const { streams } = linkBodies(all.flat())
  expect(streams).toHaveLength(all.length)
  const seen = [...new Set(streams.map(({ family }) => family))]
  return streams.map(({ family }) => seen.indexOf(family))
}

describe('conversations of one family', () => {
  it('differ in a date, in a folder, or by an added tool', () => {
    expect(
      families([
        conversation('caches', 2),
        conversation('tests', 2, {
          system: () => `${instructions}\nToday is 2026-11-02. The folder is /home/zoë/app.`,
        }),
        conversation('docs', 2, { tools: ['read', 'write', 'run', 'search', 'open'] }),
      ]),
    ).toEqual([0, 0, 0])
  })

  it('do not have other tools, or other instructions', () => {
    expect(
      families([
        conversation('caches', 2),
        conversation('tests', 2, { tools: ['buy', 'sell'] }),
        conversation('docs', 2, {
          system: () => 'Translate what you are given to Latin, without a word of your own, please.',
        }),
        conversation('ports', 2, { tools: [], system: () => '' }),
      ]),
    ).toEqual([0, 1, 2, 3])
  })

  it('open alike where they have neither tools nor instructions', () => {
    const bare = { tools: [], system: () => '' }
    const reworded = (topic: string, opening: string): Body[] =>
      conversation(topic, 1, bare).map((body) => ({ ...body, messages: [{ role: 'user', content: opening }] }))
    expect(
      families([
        reworded('a', 'You sort letters. Answer with one word only. The letter: Dear all, I write to you.'),
        reworded('b', 'You sort letters. Answer with one word only. The letter: To whom it may concern.'),
        reworded('c', 'Who was the first woman on the moon?'),
      ]),
    ).toEqual([0, 0, 1])
  })

  it('are of one provider', () => {
    const calls = ['anthropic', 'vertex'].flatMap((provider) =>
      conversation(provider, 1).map((body) => ({ body, over: { provider } })),
    )
    const { streams } = link(calls)
    expect(new Set(streams.map(({ family }) => family)).size).toBe(2)
  })

  it('are joined by one that is like both', () => {
    const half = (from: number): string =>
      Array.from({ length: 60 }, (_, index) => `Rule ${from + index} must hold.`).join('\n')
    const all = [half(0), half(36), half(18)].map((text, index) =>
      conversation(`topic ${index}`, 1, { tools: [], system: () => text }),
    )
    expect(families(all)).toEqual([0, 0, 0])
  })
})
