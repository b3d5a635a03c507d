import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { parseSimpleGet } from './fast-path.js'

function request(headers: readonly string[], method = 'GET', httpVersion = '1.1'): IncomingMessage {
  const message = new IncomingMessage(new Socket())
  return Object.assign(message, { method, httpVersion, rawHeaders: ['Host', 'here', ...headers] })
}

describe('a plain head', () => {
  it('is that of a GET, and tells where it comes from and under which id', () => {
    expect(parseSimpleGet(request(['Accept', '*/*']))).toEqual({ host: 'here' })
    expect(parseSimpleGet(request(['X-FORWARDED-FOR', '192.0.2.1', 'x-request-id', 'r']))).toEqual({
      host: 'here',
      requestId: 'r',
      forwardedFor: '192.0.2.1',
    })
  })

  it('asks for nothing but the response: conditions, origins, bodies and expectations are for the app', () => {
    for (const name of ['If-None-Match', 'Content-Length', 'transfer-encoding', 'ORIGIN', 'Expect'])
      expect(parseSimpleGet(request([name, '0']))).toBeNull()
    expect(parseSimpleGet(request([], 'HEAD'))).toBeNull()
    expect(parseSimpleGet(request([], 'GET', '1.0'))).toBeNull()
  })

  it('says nothing twice that counts, has a host, and is no longer than most', () => {
    for (const name of ['host', 'X-Request-Id', 'x-forwarded-for'])
      expect(parseSimpleGet(request([name, 'a', name, 'a']))).toBeNull()
    const message = request([])
    expect(parseSimpleGet(Object.assign(message, { rawHeaders: ['Accept', '*/*'] }))).toBeNull()
    const many = (count: number) => Array.from({ length: count }, () => ['Accept', '*/*']).flat()
    expect(parseSimpleGet(request(many(63)))).not.toBeNull()
    expect(parseSimpleGet(request(many(64)))).toBeNull()
  })
})
