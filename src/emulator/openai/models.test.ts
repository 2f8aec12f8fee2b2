import { expect, it } from 'vitest'
import { hasBreakpoints } from './models.ts'

it('takes breakpoints from GPT-5.6 on', () => {
  expect(['gpt-5.6-sol', 'gpt-6-luna'].map(hasBreakpoints)).toEqual([true, true])
  expect(['gpt-5.5', 'gpt-4o', 'o4-mini', 'grok-6'].map(hasBreakpoints)).not.toContain(true)
})
