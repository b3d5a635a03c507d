import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { createLogger } from '#libs/log/logger.js'
import type { Caller } from '../request/request-context.js'
import { createRequestContext } from '../request/request-context.js'
import { createRequestLog } from './request-log.js'

const caller: Caller = {
  accountId: 'an-account',
  provenBy: { kind: 'api-key', id: 'a-key', secret: 1, scopes: ['read'] },
  plan: 'pro',
  planVersion: 1,
  email: null,
  emailVerified: false,
  name: null,
  picture: null,
  createdAt: new Date(0),
}

/** The log lines of a request, and the usage that it counts as. */
function linesOf(route: string, status: number, from: Caller | null = null) {
  const lines: Record<string, unknown>[] = []
  const used: unknown[] = []
  const log = createLogger('test', 'debug', { write: (line) => lines.push(JSON.parse(line)) })
  const requestLog = createRequestLog(log, { count: (...use) => used.push(use) })
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET' })
  const response = new ServerResponse(request)
  response.statusCode = status
  const context = createRequestContext(request, response, 'an-id', '203.0.113.1')
  Object.assign(context, { route, caller: from })
  requestLog.follow(context, () => {})
  response.emit('close')
  requestLog.flush()
  requestLog.flush()
  return { lines, used }
}

const levelsOf = (route: string, status: number) => linesOf(route, status).lines.map(({ level }) => level)

it('a successful probe is not logged at info', () => {
  expect(levelsOf('/healthz', 200)).toEqual(['debug'])
  expect(levelsOf('/readyz', 200)).toEqual(['debug'])
})

it('any other request and a failed probe are logged at info', () => {
  expect(levelsOf('/readyz', 503)).toEqual(['info'])
  expect(levelsOf('/api/snippets', 200)).toEqual(['info'])
  expect(levelsOf('none', 404)).toEqual(['info'])
})

it('a line has every field, in any characters of an account id', () => {
  const { lines } = linesOf('/api/snippets/{id}', 200, { ...caller, accountId: 'ann "é"\n' })
  expect(lines).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      service: 'test',
      event: 'request',
      request_id: 'an-id',
      method: 'GET',
      route: '/api/snippets/{id}',
      status: 200,
      account_id: 'ann "é"\n',
      duration_ms: expect.any(Number),
      complete: false,
      msg: 'request',
    },
  ])
})

it('a request with an API key counts once for the key, and its log line names the account', () => {
  const { lines, used } = linesOf('/api/snippets/{id}', 404, caller)
  expect(lines).toMatchObject([{ account_id: 'an-account', request_id: 'an-id', status: 404 }])
  expect(used).toEqual([[caller.provenBy, true]])
  expect(
    linesOf('/api/snippets/{id}', 200, { ...caller, provenBy: { kind: 'identity-token' } }).used,
  ).toEqual([])
})

it('requests that end soon after each other leave their lines in one piece, in order', () => {
  const written: string[] = []
  const log = createLogger('test', 'info', { write: (text) => written.push(text) })
  const requestLog = createRequestLog(log, { count: () => {} })
  for (const id of ['first', 'second']) {
    const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET' })
    const response = new ServerResponse(request)
    requestLog.follow(createRequestContext(request, response, id, '203.0.113.1'), () => {})
    response.emit('close')
  }
  requestLog.flush()
  expect(written).toHaveLength(1)
  const lines = written[0]?.trimEnd().split('\n') ?? []
  expect(lines.map((line) => JSON.parse(line).request_id)).toEqual(['first', 'second'])
})
