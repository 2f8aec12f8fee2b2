/**
 * The agent of `agent.ts` with what its audit advised: day, branch, status and rules are sources, the budget and the
 * reminder are gone (the instructions say it already), the tools are frozen, and calls stay as they were made.
 */
import { createOpenAI } from '@ai-sdk/openai'
import {
  asSchema,
  generateText,
  isStepCount,
  jsonSchema,
  tool,
  wrapLanguageModel,
  type ModelMessage,
  type ToolSet,
} from 'ai'
import { combine, createSessions, memoryStore } from 'indelible'
import { aiSdkFormat, freezeTools, prepareStep, toolsOf } from 'indelible/ai-sdk'
import { date, git, instructionFiles } from 'indelible/sources'
import { folder, instructions, questions, runTool, summary, tools } from '../workspace.ts'

const openai = createOpenAI()
const history: ModelMessage[] = []

const toolSet: ToolSet = Object.fromEntries(
  tools.map(({ name, description, parameters }) => {
    const execute = (input: unknown): string => runTool(name, input)
    return [name, tool({ description, inputSchema: jsonSchema(parameters), execute })]
  }),
)

const sessions = createSessions({
  store: memoryStore(),
  format: aiSdkFormat,
  instructions,
  context: combine(date({ timeZone: 'UTC' }), git({ cwd: folder }), instructionFiles({ cwd: folder, root: folder })),
  tools: () => toolsOf(toolSet, asSchema),
})
const prepare = prepareStep(sessions.attach('documentation'))
const model = wrapLanguageModel({ model: openai('gpt-5.6-sol'), middleware: freezeTools(prepare) })

for (const question of questions) {
  history.push({ role: 'user', content: question })
  const result = await generateText({
    model,
    messages: history,
    tools: toolSet,
    stopWhen: isStepCount(10),
    providerOptions: { openai: { store: false } },
    allowSystemInMessages: true,
    prepareStep: prepare,
  })
  history.push(...result.responseMessages)
  prepare.answered(result.finalStep.usage)
}
await sessions.close()
process.stdout.write(`${summary()}\n`)
