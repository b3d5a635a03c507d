import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { looksInternal, stripInternalHeaders } from './internal-headers.js'

const forged = [
  'X-User-Id',
  'x_user_id',
  'X-INTERNAL-AUTH',
  'x-plan',
  'X-Plan-Name',
  'x-owner-id',
  'grpc-timeout',
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
  'X-Request-Id',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'Host',
  'Origin',
  'Expect',
]

it('headers that processes behind a gateway might believe are recognised in every spelling', () => {
  for (const name of forged) expect(looksInternal(name), name).toBe(true)
})

it('headers of the interface are left alone', () => {
  for (const name of ordinary) expect(looksInternal(name), name).toBe(false)
})

it('a stripped header is gone from both views of the request', () => {
  const request = {
    headers: { 'x-user-id': '1', x_plan: 'pro', accept: '*/*' },
    rawHeaders: ['X-User-Id', '1', 'x_plan', 'pro', 'Accept', '*/*'],
  } as unknown as IncomingMessage
  stripInternalHeaders(request)
  expect(request.headers).toEqual({ accept: '*/*' })
  expect(request.rawHeaders).toEqual(['Accept', '*/*'])
})
