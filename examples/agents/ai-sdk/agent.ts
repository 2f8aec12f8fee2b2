/**
 * An agent over `generateText` of `ai` as many are written: `prepareStep` renders the state of the world into the system
 * prompt of each step, prunes old calls, offers the tools of the phase that the work is in, and puts a reminder behind the
 * newest message. What that costs the README beside it finds out.
 */
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, isStepCount, jsonSchema, pruneMessages, tool, type ModelMessage, type ToolSet } from 'ai'
import { git, instructions, questions, read, runTool, summary, tools } from '../workspace.ts'

const openai = createOpenAI()
const history: ModelMessage[] = []
let budget = 400_000

/** Who the agent is, and where it stands. */
function systemPrompt(): string {
  return `${instructions}

It is ${new Date().toISOString()}.
You have ${budget} tokens left.
Git status:
${git('status', '--short', '--branch')}

${read('AGENTS.md')}`
}

const toolSet: ToolSet = Object.fromEntries(
  tools.map(({ name, description, parameters }) => {
    const execute = (input: unknown): string => runTool(name, input)
    return [name, tool({ description, inputSchema: jsonSchema(parameters), execute })]
  }),
)

/** Before anything was changed there is nothing to check and nothing to commit. */
function toolsOfPhase(): string[] {
  const isClean = git('status', '--short') === ''
  return Object.keys(toolSet).filter((name) => !isClean || (name !== 'check_syntax' && name !== 'commit'))
}

for (const question of questions) {
  history.push({ role: 'user', content: question })
  const result = await generateText({
    model: openai('gpt-5.6-sol'),
    messages: history,
    tools: toolSet,
    stopWhen: isStepCount(10),
    providerOptions: { openai: { store: false } },
    allowSystemInMessages: true,
    prepareStep: ({ messages }) => ({
      instructions: systemPrompt(),
      activeTools: toolsOfPhase(),
      messages: [
        ...pruneMessages({ messages, toolCalls: 'before-last-8-messages' }),
        { role: 'system', content: 'Reminder: change nothing but comments.' },
      ],
    }),
    onStepEnd: ({ usage }) => {
      budget -= usage.totalTokens ?? 0
    },
  })
  history.push(...result.responseMessages)
}
process.stdout.write(`${summary()}\n`)
