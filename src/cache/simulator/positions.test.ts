import { describe, expect, it } from 'vitest'
import { Positions, createCalibration } from './positions.ts'
import { Node } from './tree.ts'

const kind = { section: 'messages', role: 'user', type: 'text', markable: true } as const

/** A node behind another, of so many counted tokens. */
function behind(parent: Node, key: string, counted: number): Node {
  const node = new Node(parent, kind, key, key, counted, false, 1)
  parent.addChild(node)
  return node
}

function positionsOfOneToOne(): Positions {
  return new Positions({ ratio: 1, tail: 0, beforeMessages: 0 }, createCalibration())
}

describe('positions', () => {
  it('never put a place in front of one that leads to it, whatever was reported', () => {
    const positions = positionsOfOneToOne()
    const start = behind(Node.root(), 'start', 500)
    const branches = ['one', 'other'].map((name) => behind(behind(start, name, 100), `${name} end`, 100))
    for (const end of branches) positions.learn(end, 700)
    positions.learn(start, 720)
    expect(branches.map((end) => [positions.at(end.parent!), positions.at(end)])).toEqual([
      [720, 720],
      [720, 720],
    ])
  })

  it('keep what agrees with a newer report in front of it', () => {
    const positions = positionsOfOneToOne()
    const start = behind(Node.root(), 'start', 500)
    const end = behind(start, 'end', 200)
    positions.learn(end, 700)
    positions.learn(start, 490)
    expect([positions.at(start), positions.at(end)]).toEqual([490, 700])
  })
})
