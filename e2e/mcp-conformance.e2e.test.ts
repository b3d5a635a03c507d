import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testPort } from '#libs/testing/test-port.js'
import { type CredentialsProxy, startCredentialsProxy } from './harness/credentials-proxy.js'
import { type Generation, installConformanceSuite, type ScenarioResult } from './harness/mcp-conformance.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

/** Scenarios, or single checks of one that applies otherwise, with the reason why they do not apply. */
type NotOurs = Readonly<Record<string, string>>

function because(reason: string, ...names: readonly string[]): NotOurs {
  return Object.fromEntries(names.map((name) => [name, reason]))
}

const testTool = 'calls a tool that only servers made for the suite have'
const testResource = 'reads a resource that only servers made for the suite have'
const prompts = 'prompts are not declared'
const stateless = 'recommended for servers with sessions; there are none here, and no stream is kept open'

const always: NotOurs = {
  ...because(
    testTool,
    ...['tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource'],
    ...['tools-call-mixed-content', 'tools-call-error', 'tools-call-with-progress', 'json-schema-2020-12'],
  ),
  ...because(testResource, 'resources-read-text', 'resources-read-binary', 'resources-templates-read'),
  ...because(prompts, 'prompts-list', 'prompts-get-simple', 'prompts-get-with-args'),
  ...because(prompts, 'prompts-get-embedded-resource', 'prompts-get-with-image'),
  ...because('completions are not declared', 'completion-complete'),
}

const in2025: NotOurs = {
  ...always,
  ...because(testTool, 'tools-call-sampling', 'tools-call-elicitation', 'tools-call-with-logging'),
  ...because(testTool, 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums'),
  ...because('logging is not declared', 'logging-set-level'),
  ...because('subscriptions are not declared', 'resources-subscribe', 'resources-unsubscribe'),
  ...because(stateless, 'server-sse-polling', 'server-sse-multiple-streams'),
}

const inputRequired = [
  ...['basic-elicitation', 'basic-sampling', 'basic-list-roots', 'request-state', 'multiple-input-requests'],
  ...['multi-round', 'missing-input-response', 'non-tool-request', 'result-type', 'tampered-state'],
  ...['capability-check', 'ignore-extra-params'],
]
const tasks = [
  ...['lifecycle', 'capability-negotiation', 'wire-fields', 'request-state-removal', 'mrtr-input'],
  ...['request-headers', 'dispatch-and-envelope', 'required-task-error', 'mrtr-composition'],
]
const in2026: NotOurs = {
  ...always,
  ...because(testTool, ...inputRequired.map((name) => `input-required-result-${name}`)),
  ...because(
    testTool,
    'server-stateless: sep-2575-server-rejects-undeclared-capability',
    'server-stateless: sep-2575-missing-capability-http-400',
    'server-stateless: sep-2575-http-server-no-independent-requests-on-stream',
    'server-stateless: sep-2575-server-no-log-without-loglevel',
  ),
  ...because(prompts, 'caching: sep-2549-prompts-list-caching-hints'),
  ...because('no tool has arguments in headers', 'http-custom-header-server-validation'),
  ...because('the extension for tasks is not declared', ...tasks.map((name) => `tasks-${name}`)),
}

const inEach = ['dns-rebinding-protection', 'resources-list', 'tools-list']
const runs: readonly {
  readonly revision: string
  readonly generation: Generation
  readonly args: readonly string[]
  /** Scenarios of which every check passes. */
  readonly passed: readonly string[]
  readonly notOurs: NotOurs
}[] = [
  {
    revision: 'the 2025 revisions, by the released suite',
    generation: 'released',
    args: ['--suite', 'all'],
    passed: [...inEach, 'ping', 'server-initialize'],
    notOurs: in2025,
  },
  {
    revision: '2025-11-25',
    generation: 'next',
    args: ['--requirements', '2025-11-25'],
    passed: [...inEach, 'ping', 'server-initialize', 'server-session-lifecycle'],
    notOurs: in2025,
  },
  {
    revision: '2026-07-28',
    generation: 'next',
    args: ['--requirements', '2026-07-28'],
    passed: [
      ...[...inEach, 'http-header-validation', 'sep-2164-resource-not-found', 'server-sse-multiple-streams'],
      ...['input-required-result-unsupported-methods', 'input-required-result-validate-input'],
      // It checks nothing: the suite skips its only check.
      'tasks-status-notifications',
    ],
    notOurs: in2026,
  },
]

/** What did not pass, by its name in a list of what is not ours: the scenario, or its checks if the list has some of them. */
function notPassed(
  { scenario, checks }: ScenarioResult,
  listed: NotOurs,
): readonly (readonly [string, string])[] {
  const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
  const messages = failed.map(({ id, errorMessage = id }) => [`${scenario}: ${id}`, errorMessage] as const)
  if (failed.length === 0 || Object.keys(listed).some((name) => name.startsWith(`${scenario}: `)))
    return messages
  return [[scenario, messages.map(([, message]) => message).join('\n')]]
}

const suite = installConformanceSuite()
const title = 'the conformance suite of MCP'

describe.runIf(typeof suite !== 'string')(
  typeof suite === 'string' ? `${title} (needs ${suite})` : title,
  () => {
    let system: SystemInProcess
    let proxy: CredentialsProxy

    beforeAll(async () => {
      const port = await testPort()
      system = await startSystem({ env: { CORS_ORIGINS: `http://127.0.0.1:${port}` } })
      const ada = await system.user('ada', 'pro')
      const { key } = (await ada.post('/api/keys', { name: 'suite' })).json<{ key: string }>()
      const target = Number(new URL(system.baseUrl()).port)
      proxy = await startCredentialsProxy(port, target, { Authorization: `Bearer ${key}` })
    })
    afterAll(async () => {
      await proxy?.stop()
      await system?.stop()
      if (typeof suite !== 'string') suite.remove()
    })

    it.each(runs)(
      'passes in everything that is declared: $revision',
      async ({ generation, args, passed, notOurs }) => {
        if (typeof suite === 'string') throw new Error(suite)
        const results = await suite.run(generation, `${proxy.url}/mcp`, args)
        const failed = results.flatMap((result) => notPassed(result, notOurs))
        expect(Object.fromEntries(failed.map(([name, why]) => [name, notOurs[name] ?? why]))).toEqual(notOurs)
        const failing = new Set(failed.map(([name]) => name.split(':')[0]))
        const others = results.map(({ scenario }) => scenario).filter((scenario) => !failing.has(scenario))
        expect(others.sort()).toEqual([...passed].sort())
      },
    )
  },
)
