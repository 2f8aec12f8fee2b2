/**
 * The agent of `agent.ts` with what its audit advised: git is a source, the id of the request is a header, nobody counts
 * steps, the session puts the tools in order and always has all of them, and results stay as they were read.
 */
import { randomUUID } from 'node:crypto'
import OpenAI from 'openai'
import { createSessions, memoryStore } from 'indelible'
import { readUsage } from 'indelible/cache'
import { openAIChatFormat, toOpenAIChat } from 'indelible/openai'
import { git } from 'indelible/sources'
import { folder, instructions, questions, runTool, summary, tools } from '../workspace.ts'

const openai = new OpenAI()

const sessions = createSessions({
  store: memoryStore(),
  format: openAIChatFormat,
  instructions,
  context: git({ cwd: folder }),
  tools: () =>
    tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
})
const session = sessions.open('documentation')

for (const question of questions) {
  await session.submit({ role: 'user', content: question })
  for (;;) {
    const turn = await session.turn()
    const { body } = toOpenAIChat(turn, { model: 'gpt-5.6-sol' })
    const completion = await openai.chat.completions.create(body, { headers: { 'x-client-request-id': randomUUID() } })
    const message = completion.choices[0]?.message
    if (message === undefined) throw new Error('The model said nothing.')
    const { role, content, tool_calls: calls = [] } = message
    const answer = { role, content, ...(calls.length > 0 && { tool_calls: calls }) }
    await turn.answer([answer], { usage: readUsage(completion) })
    if (calls.length === 0) break
    for (const call of calls) {
      if (call.type !== 'function') continue
      const result = runTool(call.function.name, JSON.parse(call.function.arguments))
      await session.append([{ role: 'tool', tool_call_id: call.id, content: result }])
    }
  }
}
await sessions.close()
process.stdout.write(`${summary()}\n`)
