/**
 * What Bedrock's Converse API refuses, as a checker without HTTP: the emulator does not serve Converse, whose requests are
 * signed and whose streams are binary. Rules of single models (which take images, system text, breakpoints) are not in it, nor
 * are thinking signatures, which only the model can check.
 */
import { fields, list, type Fields } from '../fields.ts'
import { checkCachePoints } from './check-cache-points.ts'

/**
 * Everything that is refused in the body of `ConverseCommand` or `ConverseStreamCommand`, as far as possible in the API's own
 * words; empty for a legal one.
 */
export function checkConverse(body: object): readonly string[] {
  const { messages, system, toolConfig } = body as Fields
  const turns = list(messages).map(readTurn)
  return [
    ...checkRoles(turns),
    ...turns.flatMap(checkContent),
    ...turns.flatMap((turn, index) => checkResults(turn, turns[index - 1], turns[index + 1])),
    ...checkSystem(list(system)),
    ...checkTools(toolConfig, turns),
    ...checkCachePoints(body as Fields),
  ]
}

interface Turn {
  readonly path: string
  readonly role: unknown
  readonly blocks: readonly Fields[]
}

function readTurn(message: unknown, index: number): Turn {
  const { role, content } = fields(message)
  return { path: `messages.${index}`, role, blocks: list(content).map(fields) }
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-call.html */
function checkRoles(turns: readonly Turn[]): string[] {
  const problems: string[] = []
  if (turns[0]?.role !== 'user') {
    problems.push(
      'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
    )
  }
  for (const [index, { path, role }] of turns.entries()) {
    // The enumeration has `system`, and models refuse it: https://github.com/BerriAI/litellm/pull/41082.
    if (role !== 'user' && role !== 'assistant')
      problems.push(`${path}.role: the role ${JSON.stringify(role)} is not supported.`)
    if (index > 0 && role === turns[index - 1]?.role) {
      problems.push(
        `${path}: A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.`,
      )
    }
  }
  return problems
}

function checkContent({ path, role, blocks }: Turn): string[] {
  const problems: string[] = []
  // https://github.com/archestra-ai/archestra/pull/4220
  if (!blocks.some((block) => block['cachePoint'] === undefined)) {
    problems.push(
      `The content field in the Message object at ${path} is empty. Add a ContentBlock object to the content field and try again.`,
    )
  }
  for (const [index, block] of blocks.entries()) {
    const at = `${path}.content.${index}`
    const keys = Object.keys(block).filter((key) => block[key] !== undefined)
    // A union: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html.
    if (keys.length !== 1) problems.push(`The value at ${at} must set exactly one key, and sets ${keys.length}.`)
    if (isBlank(block)) problems.push(blankText(at))
    // https://github.com/NousResearch/hermes-agent/issues/55092
    for (const [inner, part] of list(fields(block['toolResult'])['content']).entries()) {
      if (isBlank(fields(part))) problems.push(blankText(`${at}.toolResult.content.${inner}`))
    }
    // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html
    if (role !== 'user' && (block['image'] !== undefined || block['document'] !== undefined)) {
      problems.push(`${at}: images and documents are only allowed in messages of the user.`)
    }
  }
  if (blocks.some((block) => block['document'] !== undefined) && !blocks.some((block) => block['text'] !== undefined)) {
    problems.push(`${path}: A text block must be included when using documents.`)
  }
  return problems
}

/** https://github.com/LibreChat-AI/agents/pull/501 */
function blankText(at: string): string {
  return `The text field in the ContentBlock object at ${at} is blank. Add text to the text field, and try again.`
}

function isBlank({ text }: Fields): boolean {
  return typeof text === 'string' && text.trim() === ''
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/tool-use-inference-call.html: each call has one result, in the next message. */
function checkResults({ path, role, blocks }: Turn, before: Turn | undefined, after: Turn | undefined): string[] {
  if (role === 'assistant') {
    const results = new Set(resultsOf(after))
    const open = callsOf({ blocks }).filter((id) => !results.has(id))
    // Nobody has answered the last message yet.
    return after === undefined || open.length === 0
      ? []
      : [`Expected toolResult blocks at ${after.path}.content for the following Ids: ${open.join(', ')}`]
  }
  const calls = new Set(before?.role === 'assistant' ? callsOf(before) : [])
  const results = resultsOf({ blocks })
  const problems: string[] = []
  if (results.some((id) => !calls.has(id)) || new Set(results).size < results.length) {
    problems.push(
      `The number of toolResult blocks at ${path}.content exceeds the number of toolUse blocks of previous turn.`,
    )
  }
  // Claude wants them ahead of everything else: https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls.
  const other = blocks.findIndex((block) => block['toolResult'] === undefined)
  if (other >= 0 && resultsOf({ blocks: blocks.slice(other) }).length > 0) {
    problems.push(`${path}: toolResult blocks must come before all other content.`)
  }
  return problems
}

/** Tools that the service runs itself (`type: 'server_tool_use'`) bring their own results. */
function callsOf({ blocks }: Pick<Turn, 'blocks'>): string[] {
  const calls = blocks.map((block) => fields(block['toolUse']))
  return calls.flatMap(({ toolUseId, type }) =>
    typeof toolUseId === 'string' && type === undefined ? [toolUseId] : [],
  )
}

function resultsOf(turn: Pick<Turn, 'blocks'> | undefined): string[] {
  return (turn?.blocks ?? []).flatMap((block) => {
    const { toolUseId } = fields(block['toolResult'])
    return typeof toolUseId === 'string' ? [toolUseId] : []
  })
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_SystemContentBlock.html: at least one character. */
function checkSystem(system: readonly unknown[]): string[] {
  return system.flatMap((block, index) =>
    isBlank(fields(block)) ? [`The text field in the SystemContentBlock object at system.${index} is blank.`] : [],
  )
}

function checkTools(toolConfig: unknown, turns: readonly Turn[]): string[] {
  if (toolConfig === undefined) {
    const used = turns.some(({ blocks }) =>
      blocks.some((block) => (block['toolUse'] ?? block['toolResult']) !== undefined),
    )
    // https://github.com/vxcontrol/pentagi/pull/196
    return used ? ['The toolConfig field must be defined when using toolUse and toolResult content blocks.'] : []
  }
  const tools = list(fields(toolConfig)['tools']).map(fields)
  const problems: string[] = []
  const names = new Set<unknown>()
  for (const [index, tool] of tools.entries()) {
    const keys = ['toolSpec', 'systemTool', 'cachePoint'].filter((key) => tool[key] !== undefined)
    // https://github.com/envoyproxy/ai-gateway/pull/2476
    if (keys.length !== 1) {
      problems.push(
        `The value at toolConfig.tools.${index} can only set one of the following keys: toolSpec, systemTool, or cachePoint.`,
      )
    }
    if (keys[0] === 'cachePoint') continue
    const { name } = fields(tool['toolSpec'] ?? tool['systemTool'])
    if (names.has(name))
      problems.push(`The tool ${JSON.stringify(name)} at toolConfig.tools.${index} is already defined.`)
    names.add(name)
  }
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolConfiguration.html: at least one.
  if (names.size === 0) problems.push('The toolConfig.tools field must hold at least one tool.')
  return problems
}
