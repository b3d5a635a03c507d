import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { parseSimpleGet } from './fast-path.js'

function request(headers: readonly string[], method = 'GET', httpVersion = '1.1'): IncomingMessage {
  const message = new IncomingMessage(new Socket())
  return Object.assign(message, { method, httpVersion, rawHeaders: ['Host', 'here', ...headers] })
}

describe('the head of a simple GET', () => {
  it('contains host, request id and forwarded address', () => {
    expect(parseSimpleGet(request(['Accept', '*/*']))).toEqual({ host: 'here' })
    expect(parseSimpleGet(request(['X-FORWARDED-FOR', '192.0.2.1', 'x-request-id', 'r']))).toEqual({
      host: 'here',
      requestId: 'r',
      forwardedFor: '192.0.2.1',
    })
  })

  it('has no condition, origin, body or expectation, which only the app handles', () => {
    for (const name of ['If-None-Match', 'Content-Length', 'transfer-encoding', 'ORIGIN', 'Expect'])
      expect(parseSimpleGet(request([name, '0']))).toBeNull()
    expect(parseSimpleGet(request([], 'HEAD'))).toBeNull()
    expect(parseSimpleGet(request([], 'GET', '1.0'))).toBeNull()
  })

  it('has a host, no duplicate headers that matter, and at most 64 headers', () => {
    for (const name of ['host', 'X-Request-Id', 'x-forwarded-for'])
      expect(parseSimpleGet(request([name, 'a', name, 'a']))).toBeNull()
    const message = request([])
    expect(parseSimpleGet(Object.assign(message, { rawHeaders: ['Accept', '*/*'] }))).toBeNull()
    const many = (count: number) => Array.from({ length: count }, () => ['Accept', '*/*']).flat()
    expect(parseSimpleGet(request(many(63)))).not.toBeNull()
    expect(parseSimpleGet(request(many(64)))).toBeNull()
  })
})
