import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import { methodNotAllowed, sendProblem, toProblem } from './problem.js'

const parse = (body: string): Record<string, unknown> => JSON.parse(body) as Record<string, unknown>

it('an expected error is sent with its status, code, message and details', () => {
  const error = new DomainError('too-large', 'data_too_large', 'It is too large.', {
    limit: 5,
    actual: 7,
    plan: 'free',
  })
  const problem = toProblem(error, 'r-1')
  expect(problem.status).toBe(413)
  expect(parse(problem.body)).toEqual({
    type: 'about:blank',
    title: 'Payload Too Large',
    status: 413,
    code: 'data_too_large',
    detail: 'It is too large.',
    request_id: 'r-1',
    limit: 5,
    actual: 7,
    plan: 'free',
  })
})

it('an unexpected error reveals only the request id', () => {
  const problem = toProblem(new Error('password=hunter2 at /srv/app.js:1'), 'r-2')
  expect(problem.status).toBe(500)
  expect(parse(problem.body)).toMatchObject({ code: 'internal', request_id: 'r-2' })
  expect(problem.body).not.toMatch(/hunter2|srv/)
})

it('401 names the scheme, 405 the allowed methods, and 503 when to retry', () => {
  expect(
    toProblem(new DomainError('unauthenticated', 'missing_credentials', 'x'), '').headers['WWW-Authenticate'],
  ).toBe('Bearer')
  expect(toProblem(methodNotAllowed(['GET', 'HEAD']), '').headers.Allow).toBe('GET, HEAD')
  const busy = toProblem(new DomainError('unavailable', 'unavailable', 'x', { retry_after: 1 }), '')
  expect(busy.headers['Retry-After']).toBe('1')
  expect(parse(busy.body)).not.toHaveProperty('retry_after')
})

it('an error after the end of a response leaves what was sent whole, and one within it breaks it off', async () => {
  const text = 'x'.repeat(8_000_000)
  const problem = toProblem(new Error('too late'), 'r-1')
  const server = createServer(({ url }, response) => {
    if (url === '/whole') response.end(text)
    else response.write(text)
    sendProblem(response, problem)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    const response = await fetch(`http://127.0.0.1:${port}/whole`)
    expect((await response.text()).length).toBe(text.length)
    const broken = fetch(`http://127.0.0.1:${port}/started`).then((response) => response.text())
    await expect(broken).rejects.toThrow()
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
