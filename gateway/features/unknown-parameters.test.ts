import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import type { Operation } from '../http/operation.js'
import { type AdmitDependencies, handle } from '../pipeline/admit.js'
import { createRateLimits } from '../rate-limits/rate-limits.js'
import { type Caller, createRequestContext } from '../request/request-context.js'
import { documentedOperations } from './docs/testing/documented-operations.js'

const { operations, plans, close } = documentedOperations('https://snippets.example')
afterAll(close)

const operator: Caller = {
  accountId: 'ann',
  provenBy: { kind: 'identity-token' },
  plan: 'pro',
  planVersion: 1,
  email: null,
  emailVerified: false,
  name: null,
  picture: null,
  createdAt: new Date(0),
  isOperator: true,
}
const unlimited = { strict: null, standard: null, fairUse: null }
const noWindow = { take: () => Promise.reject(new Error('nothing is limited here')) }
const parts: AdmitDependencies = {
  authenticate: async () => operator,
  limits: createRateLimits({ policies: unlimited, scope: 'create', window: noWindow }),
  plans,
}

/** The error of a request with this query; the handlers are replaced by one that succeeds. */
async function refusalOf(operation: Operation, query: string): Promise<unknown> {
  const request = new IncomingMessage(new Socket())
  request.url = `/x?${query}`
  const context = createRequestContext(request, new ServerResponse(request), 'an-id', '203.0.113.1')
  try {
    await handle(parts, { ...operation, handle: async () => {} }, context)
    return null
  } catch (error) {
    return error
  }
}

/** Pages, what others call, and what checks its query itself. */
const lenient = [
  'exchangeToken',
  'getApiSummary',
  'getDocumentation',
  'getHealth',
  'getOEmbed',
  'getReadiness',
  'revokeToken',
  'runTool',
  'takeStripeEvent',
]

it('every operation refuses parameters that it does not declare', async () => {
  const accepting: string[] = []
  for (const operation of operations) {
    for (const name of ['srot', 'Limit', 'limit[]', '__proto__', 'api_key', '', ' tool']) {
      const error = await refusalOf(operation, new URLSearchParams([[name, 'x']]).toString())
      if (error === null) accepting.push(operation.operationId)
      else
        expect(error, operation.operationId).toMatchObject({
          kind: 'invalid',
          code: 'unknown_parameter',
          details: { errors: [{ pointer: name, code: 'unknown_parameter' }] },
        })
    }
  }
  expect([...new Set(accepting)].sort()).toEqual(lenient)
})

it('every operation accepts each parameter that it declares', async () => {
  for (const operation of operations)
    for (const name of Object.keys({ ...operation.query?.shape, ...operation.rawQuery?.shape }))
      expect(await refusalOf(operation, `${name}=x`), `${operation.operationId} ${name}`).toBeNull()
})
