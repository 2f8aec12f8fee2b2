import { describe, expect, it } from 'vitest'
import { placeOf } from './place.ts'

const file = '/home/ana/.claude/projects/-home-ana-shop/0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9.jsonl'
const at = (width: number, name = file, line: number | null = 7): string => placeOf({ file: name, line }, width)

describe('a place', () => {
  it('is whole where it fits', () => {
    expect(at(100)).toBe(`${file}:7`)
    expect(at(80, 'a.jsonl', null)).toBe('a.jsonl')
  })

  it('keeps the last two folders, and cuts the name of the file in the middle', () => {
    expect(at(72)).toBe('…/projects/-home-ana-shop/0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9.jsonl:7')
    expect(at(64)).toBe('…/-home-ana-shop/0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9.jsonl:7')
    expect(at(50)).toBe('…/projects/-home-ana-shop/0a1b2c3d-4e…e8f9.jsonl:7')
    expect(at(35)).toBe('…/-home-ana-shop/0a1b2c3d…9.jsonl:7')
  })

  it('is never wider than there is room, and moves no cursor', () => {
    for (const width of [1, 2, 5, 12, 20, 40]) {
      for (const name of [file, '-', 'x'.repeat(1_000_000), `\u001b[2J/\u202e/${'y/'.repeat(5000)}z`]) {
        const place = at(width, name)
        expect(Array.from(place).length).toBeLessThanOrEqual(width)
        expect(place).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u)
      }
    }
  })
})
