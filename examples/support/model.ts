/** What the model of the examples says: a script, by the number of the request, for whatever API it comes through. */
import type { Answer } from 'indelible/emulator'

const look = { name: 'read_file', input: { path: 'test/login.test.ts' } }
const change = { name: 'switch_branch', input: { branch: 'fix/login' } }
const test = { name: 'run_tests', input: { pattern: 'login' } }

const script: readonly Answer[] = [
  { text: 'I look at the test first.', toolCalls: [look] },
  // The branch changes in the middle of the loop, by one of two calls.
  { toolCalls: [change, look] },
  { text: 'The test passes now.' },
  { text: 'It is ready.' },
  { text: 'The notes of the release begin with what was broken, and how long it had been. '.repeat(4) },
  { text: 'The notes are written.' },
  { text: 'I check them.', toolCalls: [test] },
  { text: 'They are right.' },
  { text: 'You are welcome.' },
]

/** Which answer is interrupted while it streams, from 1. */
export const interrupted = 5

/** The answer to request `number`, from 1. A model calls only what the request tells it of. */
export function answerTo(number: number, body: object): Answer {
  const answer = script[number - 1]
  if (answer === undefined) throw new Error(`The script ends before request ${number}.`)
  const told = JSON.stringify(body)
  const toolCalls = answer.toolCalls?.map((call) => (told.includes(call.name) ? call : look))
  return { ...answer, ...(toolCalls && { toolCalls }) }
}
