import { describe, expect, it } from 'vitest'
import { CommandError } from '../errors.ts'
import type { Environment } from '../output.ts'
import { placeholderKeys, planFor, planForEmulator, variablesFor } from './environment.ts'
import { PROVIDERS } from './providers.ts'

const url = 'http://127.0.0.1:1'

/** Variables, and where each leads. */
function leads(environment: Environment, upstream?: string): Record<string, string> {
  const plan = planFor(environment, upstream)
  const variables = variablesFor(plan, url, environment)
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      const path = value.slice(url.length)
      const route = plan.routes.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))
      return [name, `${path} ${route?.base.href ?? '?'}`]
    }),
  )
}

describe('the variables of a command', () => {
  it('lead to the providers where nothing is set', () => {
    expect(leads({})).toEqual({
      ANTHROPIC_BASE_URL: '/anthropic https://api.anthropic.com/',
      ANTHROPIC_API_BASE: '/anthropic https://api.anthropic.com/',
      OPENAI_BASE_URL: '/openai/v1 https://api.openai.com/v1',
      OPENAI_API_BASE: '/openai/v1 https://api.openai.com/v1',
      GOOGLE_GEMINI_BASE_URL: '/google https://generativelanguage.googleapis.com/',
      GROQ_BASE_URL: '/groq https://api.groq.com/',
    })
  })

  it('lead to where they led before', () => {
    const found = leads({
      ANTHROPIC_BASE_URL: 'https://gateway.example/anthropic',
      OPENAI_API_BASE: 'http://localhost:8000/v1',
      GOOGLE_VERTEX_BASE_URL: 'https://vertex.example',
    })
    expect(found).toMatchObject({
      ANTHROPIC_BASE_URL: '/anthropic https://gateway.example/anthropic',
      ANTHROPIC_API_BASE: '/anthropic https://gateway.example/anthropic',
      OPENAI_BASE_URL: '/openai/v1 http://localhost:8000/v1',
      OPENAI_API_BASE: '/openai/v1 http://localhost:8000/v1',
      GOOGLE_VERTEX_BASE_URL: '/vertex-gemini https://vertex.example/',
    })
  })

  it('lead apart where two of one provider did', () => {
    const found = leads({ OPENAI_BASE_URL: 'https://one.example/v1', OPENAI_API_BASE: 'https://two.example/api' })
    expect(found).toMatchObject({
      OPENAI_BASE_URL: '/openai/v1 https://one.example/v1',
      OPENAI_API_BASE: '/openai-2 https://two.example/api',
    })
  })

  it('lead all to one upstream where it is given, with the paths of their APIs', () => {
    const found = leads({ ANTHROPIC_BASE_URL: 'https://elsewhere.example' }, 'http://localhost:8000/v1')
    expect(found).toMatchObject({
      ANTHROPIC_BASE_URL: ' http://localhost:8000/v1',
      OPENAI_BASE_URL: '/v1 http://localhost:8000/v1',
    })
  })

  it('leave a client of Azure with its endpoint', () => {
    const found = leads({ AZURE_OPENAI_ENDPOINT: 'https://me.openai.azure.com' })
    expect(found).toMatchObject({ AZURE_OPENAI_ENDPOINT: '/azure https://me.openai.azure.com/' })
    expect(found).not.toHaveProperty('OPENAI_BASE_URL')
  })

  it('keep what is no address that can be passed on, and say which', () => {
    const environment = { ANTHROPIC_BASE_URL: 'https://me:secret@gateway.example' }
    const plan = planFor(environment, undefined)
    expect(plan.unusable).toEqual(['ANTHROPIC_BASE_URL'])
    expect(variablesFor(plan, url, environment)).not.toHaveProperty('ANTHROPIC_BASE_URL')
  })

  it('go around a proxy, which could not reach this machine', () => {
    const environment = { HTTP_PROXY: 'http://proxy.example:3128', no_proxy: '.example' }
    const found = variablesFor(planFor(environment, undefined), url, environment)
    expect([found['no_proxy'], found['NO_PROXY']]).toEqual([
      '.example,127.0.0.1,localhost',
      '.example,127.0.0.1,localhost',
    ])
  })
})

describe('an upstream', () => {
  it.each(['localhost:8000', 'ftp://x.example', 'https://me:secret@x.example', 'https://x.example?key=1', ''])(
    '%j is refused with what to give',
    (upstream) => {
      expect(() => planFor({}, upstream)).toThrow(CommandError)
    },
  )
})

describe('with the emulator', () => {
  it('requests go there, and the log names the providers', () => {
    const plan = planForEmulator('http://127.0.0.1:2')
    expect(plan.routes.map(({ prefix, base, named }) => [prefix, base.href, named.href])).toEqual([
      ['/anthropic', 'http://127.0.0.1:2/', 'https://api.anthropic.com/'],
      ['/openai', 'http://127.0.0.1:2/v1', 'https://api.openai.com/v1'],
      ['/google', 'http://127.0.0.1:2/', 'https://generativelanguage.googleapis.com/'],
    ])
  })

  it('keys that are not set get a placeholder, one for each provider', () => {
    expect(Object.keys(placeholderKeys({}))).toEqual(['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY'])
    expect(Object.keys(placeholderKeys({ ANTHROPIC_AUTH_TOKEN: 'a', GOOGLE_API_KEY: 'b' }))).toEqual(['OPENAI_API_KEY'])
  })
})

describe('the table of providers', () => {
  it('names each variable once, with who reads it and where that is said', () => {
    const variables = PROVIDERS.flatMap((provider) => provider.variables)
    expect(new Set(variables.map(({ name }) => name)).size).toBe(variables.length)
    for (const { readBy, source } of variables) {
      expect(readBy).not.toBe('')
      expect(source).toMatch(/^https:\/\//)
    }
  })
})
