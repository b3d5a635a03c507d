import { afterAll, expect, it } from 'vitest'
import { openApiDocument } from '../../gateway/features/docs/openapi-document.js'
import { documentedOperations } from '../../gateway/features/docs/testing/documented-operations.js'
import { sourceFiles } from '../../scripts/source-files.js'
import { problemCodes } from './problem-error.js'
import { Snipkeep } from './snipkeep.js'

const base = 'https://s.example'
const { operations, close } = documentedOperations(base)
afterAll(close)

/** Operations that are not for API clients. */
const left = new Set([
  'takeStripeEvent',
  'getOpenApi',
  'getDocumentation',
  'getApiSummary',
  'getHealth',
  'getReadiness',
  'getOEmbed',
  'uploadSnippet',
  'uploadShare',
  'callMcp',
])

/** Calls every method of the SDK once, and lists their requests. */
async function requestsOfSdk(): Promise<Set<string>> {
  const asked = new Set<string>()
  const sk = new Snipkeep({
    server: base,
    fetch: async (input, init) => {
      asked.add(`${init?.method ?? 'GET'} ${decodeURIComponent(new URL(String(input)).pathname)}`)
      return new Response(
        '{"next_cursor":null,"snippets":[],"revisions":[],"checks":[],"shares":[],"history":[],"events":[],"keys":[],"reports":[],"acts":[]}',
      )
    },
  })
  const output = { tool: 'csv', data: {} }
  // The path contains it as the template has it.
  const version = '{version}' as unknown as number
  await sk.snippets.create(output)
  await sk.snippets.put('{id}', output)
  await sk.snippets.get('{id}')
  await sk.snippets.raw('{id}')
  await sk.snippets.list().all()
  await sk.snippets.update('{id}', {})
  await sk.snippets.delete('{id}')
  await sk.snippets.revisions('{id}').all()
  await sk.snippets.revision('{id}', version)
  await sk.snippets.revisionRaw('{id}', version)
  await sk.snippets.restore('{id}', 1)
  await sk.contracts.get('{id}')
  await sk.contracts.raw('{id}')
  await sk.contracts.put('{id}', {})
  await sk.contracts.remove('{id}')
  await sk.checks.create('{id}', output)
  await sk.checks.list('{id}').all()
  await sk.checks.get('{id}')
  await sk.checks.raw('{id}')
  await sk.checks.approve('{id}')
  await sk.checks.reject('{id}')
  await sk.shares.create(output)
  await sk.shares.get('{id}')
  await sk.shares.raw('{id}')
  await sk.shares.gate('{id}')
  await sk.shares.reveal('{id}')
  await sk.shares.list().all()
  await sk.shares.report({ share: '{id}', reason: 'other' })
  await sk.shares.delete('{id}')
  await sk.history.record({ tool: 'csv' })
  await sk.history.get('{id}')
  await sk.history.list().all()
  await sk.history.delete('{id}')
  await sk.history.clear()
  await sk.keys.create({ name: 'k' })
  await sk.keys.list()
  await sk.keys.get('{id}')
  await sk.keys.usage('{id}')
  await sk.keys.delete('{id}')
  await sk.keys.rotate('{id}')
  await sk.keys.endPrevious('{id}')
  await sk.keys.revoke('snk_')
  await sk.trustedPublishers.create({ name: 'r', issuer: 'github' })
  await sk.trustedPublishers.list()
  await sk.trustedPublishers.get('{id}')
  await sk.trustedPublishers.events('{id}')
  await sk.trustedPublishers.update('{id}', {})
  await sk.trustedPublishers.delete('{id}')
  await sk.trustedPublishers.exchange('tp_x', 'a.b.c')
  await sk.trustedPublishers.revoke('snx_x')
  await sk.events.list().all()
  await sk.compare({ snippet: '@a' }, { json: '{}' })
  await sk.tools.list()
  await sk.tools.run('{name}', '{}')
  const decision = { reason: 'r' }
  await sk.operator.reports().all()
  await sk.operator.resolveReport('{id}', 'r')
  await sk.operator.accounts('a@b.example')
  await sk.operator.closingAccounts()
  await sk.operator.account('{id}')
  await sk.operator.accountEvents('{id}').all()
  await sk.operator.accountShares('{id}').all()
  await sk.operator.suspend('{id}', decision)
  await sk.operator.resume('{id}', decision)
  await sk.operator.grantPlan('{id}', { ...decision, plan: 'pro', expires_in: 60 })
  await sk.operator.endPlanGrant('{id}', 'r')
  await sk.operator.share('{id}')
  await sk.operator.disableShare('{id}', decision)
  await sk.operator.enableShare('{id}', decision)
  await sk.operator.acts().all()
  await sk.operator.queues()
  await sk.account.profile()
  await sk.account.exportArchive()
  await sk.account.importArchive('').catch(() => undefined)
  await sk.account.close('a@b.example')
  await sk.account.restore()
  await sk.account.plans()
  await sk.account.subscription()
  await sk.account.checkout({ interval: 'month' })
  await sk.account.portal()
  await sk.account.cancel()
  await sk.account.resume()
  return asked
}

it('every operation of the OpenAPI document has a method', async () => {
  const asked = await requestsOfSdk()
  const { paths } = openApiDocument(operations, base) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const missing = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(
        ([method, { operationId }]) =>
          !left.has(operationId) && !asked.has(`${method.toUpperCase()} ${path}`),
      )
      .map(([, { operationId }]) => operationId),
  )
  expect(missing).toEqual([])
})

it('every code of the server has a type', async () => {
  const thrown = /new DomainError\(\s*'[a-z-]+',\s*'([a-z_]+)'/g
  const files = (await sourceFiles('.')).filter(
    ({ path }) => /^(gateway|services|shared|libs)\//.test(path) && !/\.test\.ts$|testing\//.test(path),
  )
  const codes = new Set(files.flatMap(({ text }) => [...text.matchAll(thrown)].map(([, code]) => code ?? '')))
  expect(codes.size).toBeGreaterThan(20)
  const known = new Set<string>(problemCodes)
  expect([...codes].filter((code) => !known.has(code))).toEqual([])
})

it('no client of ours writes a path of the API besides the SDK', async () => {
  const ours = /^(clients\/(cli|mcp|action)|services\/web\/browser\/(dashboard|tools))\/(?!dist\/)/
  const files = (await sourceFiles('.')).filter(
    ({ path }) => ours.test(path) && /\.tsx?$/.test(path) && !/\.test\.tsx?$|testing\//.test(path),
  )
  expect(files.length).toBeGreaterThan(200)
  const written = files.flatMap(({ path, text }) =>
    [...text.matchAll(/['"`]\/(?:api\/(?!docs")|config\.json)[^'"`]*/g)].map(
      ([found]) => `${path}: ${found}`,
    ),
  )
  expect(written).toEqual([])
})
