import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { looksInternal, stripInternalHeaders } from './request-head.js'

const forged = [
  'X-User-Id',
  'x_user_id',
  'X-INTERNAL-AUTH',
  'x-plan',
  'X-Plan-Name',
  'x-owner-id',
  'grpc-timeout',
  'snipkeep_grant',
  'X-Snipkeep-Reveal-Error',
  'Grpc_Status',
  'snipkeep-error-bin',
  'anything-bin',
  'Forwarded',
  'X-Forwarded-For',
  'x_forwarded_host',
  'X-Real-IP',
  'X-Original-URL',
  'X-Rewrite-URL',
  'X-HTTP-Method-Override',
  'X-Method-Override',
  'CF-Connecting-IP',
]

const ordinary = [
  'Authorization',
  'X-API-Key',
  'Snipkeep-Grant',
  'Snipkeep-Share-Password',
  'X-Request-Id',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'Host',
  'Origin',
  'Expect',
]

it('headers that processes behind a gateway might trust are recognized in every spelling', () => {
  for (const name of forged) expect(looksInternal(name), name).toBe(true)
})

it('headers of the API are kept', () => {
  for (const name of ordinary) expect(looksInternal(name), name).toBe(false)
})

it('a stripped header disappears from every view of the request', async () => {
  const seen = await new Promise<{ views: unknown[]; accept: unknown }>((resolve) => {
    const server = createServer((request, response) => {
      stripInternalHeaders(request)
      resolve({
        views: [request.headers, request.headersDistinct, request.rawHeaders],
        accept: request.headersDistinct.accept,
      })
      response.end()
      server.close()
    }).listen(0, '127.0.0.1', () => {
      const headers = { 'X-User-Id': 'forged', x_plan: 'forged', Accept: '*/*', Connection: 'close' }
      get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, headers })
    })
  })
  expect(JSON.stringify(seen.views)).not.toMatch(/forged|x-user-id|x_plan/i)
  expect(seen.accept).toEqual(['*/*'])
})
