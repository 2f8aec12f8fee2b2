/**
 * An agent over Chat Completions of `openai` as many are written: the prompt says when it is and how far the work is, the
 * tools stand in the order of their last use, and old results are cut to save tokens. What that costs the README beside it
 * finds out.
 */
import { randomUUID } from 'node:crypto'
import OpenAI from 'openai'
import { git, instructions, questions, runTool, summary, tools } from '../workspace.ts'

const openai = new OpenAI()
const messages: OpenAI.ChatCompletionMessageParam[] = []
const lastUse = new Map<string, number>()
let requests = 0

/** Who the agent is, and how far the work is. */
function systemPrompt(): string {
  return `Request ${randomUUID()}, step ${requests} of 50.

${instructions}

You are on branch ${git('branch', '--show-current')}.`
}

/** What can be of use now, what was used last in front. There is nothing to commit while nothing was changed. */
function currentTools(): OpenAI.ChatCompletionTool[] {
  const isClean = git('status', '--short') === ''
  return tools
    .filter(({ name }) => name !== 'commit' || !isClean)
    .toSorted((a, b) => (lastUse.get(b.name) ?? 0) - (lastUse.get(a.name) ?? 0))
    .map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters: { ...parameters } },
    }))
}

/** Everything that was said; of results, only the newest six are worth their tokens. */
function pruned(): OpenAI.ChatCompletionMessageParam[] {
  const results = messages.filter(({ role }) => role === 'tool')
  const old = new Set(results.slice(0, -6))
  return messages.map((message) =>
    message.role === 'tool' && old.has(message) ? { ...message, content: '[result removed]' } : message,
  )
}

for (const question of questions) {
  messages.push({ role: 'user', content: question })
  for (;;) {
    requests += 1
    const completion = await openai.chat.completions.create({
      model: 'gpt-5.6-sol',
      messages: [{ role: 'system', content: systemPrompt() }, ...pruned()],
      tools: currentTools(),
    })
    const message = completion.choices[0]?.message
    if (message === undefined) throw new Error('The model said nothing.')
    const { role, content, tool_calls: calls = [] } = message
    messages.push({ role, content, ...(calls.length > 0 && { tool_calls: calls }) })
    if (calls.length === 0) break
    for (const call of calls) {
      if (call.type !== 'function') continue
      lastUse.set(call.function.name, requests)
      const result = runTool(call.function.name, JSON.parse(call.function.arguments))
      messages.push({ role: 'tool', tool_call_id: call.id, content: result })
    }
  }
}
process.stdout.write(`${summary()}\n`)
