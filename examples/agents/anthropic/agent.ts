/**
 * An agent over `@anthropic-ai/sdk` as many are written: the state of the world is rendered into the system prompt for each
 * request, and what looks like caching is one breakpoint behind it. What that costs the README beside it finds out.
 */
import Anthropic from '@anthropic-ai/sdk'
import { folder, git, instructions, questions, read, runTool, summary, tools } from '../workspace.ts'

const anthropic = new Anthropic()
const messages: Anthropic.MessageParam[] = []

/** Who the agent is, and where it stands. */
function systemPrompt(): string {
  return `${instructions}

# Environment

Working directory: ${folder}
Current time: ${new Date().toISOString()}
Git branch: ${git('branch', '--show-current')}
Git status:
${git('status', '--short') || '(clean)'}

# Rules of the repository, from AGENTS.md

${read('AGENTS.md')}`
}

const definitions = tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }))

for (const question of questions) {
  messages.push({ role: 'user', content: question })
  for (;;) {
    const message = await anthropic.messages.create({
      model: 'claude-opus-5',
      max_tokens: 2_048,
      system: [{ type: 'text', text: systemPrompt(), cache_control: { type: 'ephemeral' } }],
      tools: definitions,
      messages,
    })
    messages.push({ role: message.role, content: message.content })
    const calls = message.content.filter((block) => block.type === 'tool_use')
    if (calls.length === 0) break
    const results = calls.map(({ id, name, input }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: runTool(name, input),
    }))
    messages.push({ role: 'user', content: results })
  }
}
process.stdout.write(`${summary()}\n`)
