import { describe, expect, it } from 'vitest'
import { commonPath, steadyPath } from './paths.ts'

describe('commonPath', () => {
  it('is the path itself where all are one', () => {
    expect(commonPath(['system[0]', 'system[0]'])).toBe('system[0]')
    expect(commonPath([])).toBe('')
  })

  it('leaves open the indexes that differ', () => {
    expect(commonPath(['messages[2].content[0]', 'messages[4].content[0]'])).toBe('messages[*].content[0]')
    expect(commonPath(['messages[2].content[1]', 'messages[4].content[0]'])).toBe('messages[*].content[*]')
    expect(commonPath(['tools[read]', 'tools[a.b]'])).toBe('tools[*]')
  })

  it('keeps the list that paths of different forms begin with', () => {
    expect(commonPath(['messages[2].content[1]', 'messages[4].tool_calls[0].name'])).toBe('messages[*]')
    expect(commonPath(['system', 'messages[0]'])).toBe('system')
  })
})

describe('steadyPath', () => {
  it('keeps the index of the first message and of what stands before the conversation', () => {
    expect(steadyPath('messages[0].content[2]')).toBe('messages[0].content[2]')
    expect(steadyPath('system[1]')).toBe('system[1]')
    expect(steadyPath('tools[read]')).toBe('tools[read]')
  })

  it('leaves open the others, in every format', () => {
    expect(steadyPath('messages[12].content[1]')).toBe('messages[*].content[1]')
    expect(steadyPath('input[3].content[0]')).toBe('input[*].content[0]')
    expect(steadyPath('contents[3].parts[0]')).toBe('contents[*].parts[0]')
    expect(steadyPath('previous(resp_1).output[2]')).toBe('previous(*).output[*]')
  })
})
