import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ApiClient, ApiResponse } from './harness/api-client.js'
import { type DescribedResponses, describedResponses } from './harness/described-responses.js'
import { iterations } from './harness/iterations.js'
import { type DescribedOperation, type RequestCase, requestCases } from './harness/request-cases.js'
import { startSystem, type TestSystem } from './harness/system.js'

let system: TestSystem
let client: ApiClient
let described: DescribedResponses
let ids: string[]

beforeAll(async () => {
  system = await startSystem({ payments: {} })
  client = await system.user('fuzzer', 'pro')
  described = await describedResponses(client)
  const made = { tool: 'fuzz', title: 'Known', data: { v: [1, { w: 'x' }] } }
  const responses = await Promise.all(
    ['snippets', 'snippets', 'shares', 'shares'].map((kind) => client.post(`/api/${kind}`, made)),
  )
  ids = responses.map((response) => response.json<{ id: string }>().id)
})
afterAll(() => system?.stop())

/** Errors of the layers below the operations, which the document does not repeat for each operation. */
const anywhere = [400, 404, 431]

function addressOf(template: string, { path, query }: RequestCase): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(path[name] ?? 'x').replaceAll('.', '%2e'),
  )
  const search = new URLSearchParams(query)
  return search.size === 0 ? filled : `${filled}?${search}`
}

function check(operation: DescribedOperation, sent: RequestCase, response: ApiResponse): void {
  const context = `${operation.operationId} ${JSON.stringify(sent)}: ${response.status} ${response.text.slice(0, 400)}`
  const isDescribed = operation.responses[String(response.status)] !== undefined
  // 501 is documented for oEmbed's unsupported formats; no other 5xx is allowed here.
  if (response.status !== 501) expect(response.status, context).toBeLessThan(500)
  if (isDescribed || !anywhere.includes(response.status)) described.check(operation, response, context)
  else expect(response.headers.get('content-type'), context).toBe('application/problem+json')
  expect(response.headers.get('x-request-id'), context).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
  if (!sent.bodyFits || operation.requestBody === undefined) return
  const fields = response.status === 400 ? response.json<{ errors?: { pointer: string }[] }>().errors : []
  expect(
    (fields ?? []).filter(({ pointer }) => pointer.startsWith('/')),
    context,
  ).toEqual([])
}

it('every operation matches its description, whatever it is sent', {
  timeout: iterations(600_000, 3_600_000),
}, async () => {
  const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
  const cases = Number(process.env.FUZZ_CASES ?? 120)
  process.stdout.write(`FUZZ_SEED=${seed} FUZZ_CASES=${cases}\n`)
  const { paths, components } = described.document
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  expect(operations.length).toBeGreaterThan(14)
  for (const { path, method, operation } of operations) {
    const sent = fc.sample(requestCases(operation, ids, components.schemas), { numRuns: cases, seed })
    for (let from = 0; from < sent.length; from += 10) {
      await Promise.all(
        sent.slice(from, from + 10).map(async (one) => {
          const body = one.body === undefined ? {} : { body: JSON.stringify(one.body) }
          check(
            operation,
            one,
            await client.request(method, addressOf(path, one), { headers: one.headers, ...body }),
          )
        }),
      )
    }
  }
})
