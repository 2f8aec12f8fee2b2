/**
 * The agent of `agent.ts` with what its audit advised: day, branch, status and rules are sources, the time is gone, and the
 * adapter places the breakpoints. Everything else is as it was.
 */
import Anthropic from '@anthropic-ai/sdk'
import { combine, createSessions, memoryStore } from 'indelible'
import { anthropicFormat, toAnthropicMessages } from 'indelible/anthropic'
import { readUsage } from 'indelible/cache'
import { date, environment, git, instructionFiles } from 'indelible/sources'
import { folder, instructions, questions, runTool, summary, tools } from '../workspace.ts'

const anthropic = new Anthropic()

const sessions = createSessions({
  store: memoryStore(),
  format: anthropicFormat,
  instructions,
  context: combine(
    environment({ cwd: folder }),
    date({ timeZone: 'UTC' }),
    git({ cwd: folder }),
    instructionFiles({ cwd: folder, root: folder }),
  ),
  tools: () => tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
})
const session = sessions.open('documentation')

for (const question of questions) {
  await session.submit({ role: 'user', content: question })
  for (;;) {
    const turn = await session.turn()
    const { body, headers } = toAnthropicMessages(turn, { model: 'claude-opus-5', max_tokens: 2_048 })
    const message = await anthropic.messages.create(body, { headers })
    await turn.answer([{ role: message.role, content: message.content }], { usage: readUsage(message) })
    const calls = message.content.filter((block) => block.type === 'tool_use')
    if (calls.length === 0) break
    const results = calls.map(({ id, name, input }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: runTool(name, input),
    }))
    await session.append([{ role: 'user', content: results }])
  }
}
await sessions.close()
process.stdout.write(`${summary()}\n`)
