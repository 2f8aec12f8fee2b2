/** Rows that the audit links to another call than `usage.csv` does. Each is checked; see {@link ./exceptions.ts}. */
import type { Exception } from './exceptions.ts'
import type { ParentRule } from './parent-rules.ts'

export const parentExceptions: readonly Exception<ParentRule>[] = [
  {
    file: 'ToolRunner.nock.json',
    call: 2,
    ours: 'none',
    rule: 'separate-runs',
    why: 'Another test of the suite, with another question and another schema of its tool.',
  },
  {
    file: 'ToolRunner.nock.json',
    call: 4,
    ours: 'none',
    rule: 'separate-runs',
    why: 'Another test of the suite, with another question and another schema of its tool.',
  },
  {
    file: 'ToolRunner.nock.json',
    call: 8,
    ours: 'none',
    rule: 'summary-without-session',
    why: 'The runner begins again from the summary that call 7 answered with.',
  },
  {
    file: 'codex_ws_multi_response_trace.jsonl',
    call: 0,
    ours: 'a call without a row',
    rule: 'one-connection',
    why: 'The third call on the connection; it hands back the result of the tool that the second one called.',
  },
  {
    file: 'llms__anthropic__test_anthropic_cached_prompt_tokens_with_tools.yaml',
    call: 1,
    ours: 'none',
    rule: 'separate-runs',
    why: 'Another city is asked for, behind the same long instructions.',
  },
  {
    file: 'test_crew_train_success.yaml',
    call: 5,
    ours: 'none',
    rule: 'separate-runs',
    why: 'The second iteration of the training gives the task anew.',
  },
  {
    file: 'models__bedrock__test_cache__test_bedrock_single_tool_choice_preserves_cache[anthropic].yaml',
    call: 2,
    ours: 'call 0',
    rule: 'same-prompt',
    why: 'The second run sends the prompt of the first run once more.',
  },
  {
    file: 'models__google__test_cache__test_google_model_cached_content.yaml',
    call: 2,
    ours: 'none',
    rule: 'separate-runs',
    why: 'Another question to the same explicit cache.',
  },
  {
    file: 'models__openrouter__test_cache__test_openrouter_cache_all_settings_real_api.yaml',
    call: 2,
    ours: 'none',
    rule: 'separate-runs',
    why: 'Another question behind the same instructions.',
  },
]
