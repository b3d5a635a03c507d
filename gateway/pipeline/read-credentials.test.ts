import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import { type LocalServer, startLocalServer } from '../auth/testing/local-server.js'
import { readCredentials } from './authenticate.js'

function reading(rawHeaders: readonly string[]): unknown {
  try {
    return readCredentials(rawHeaders)
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'unauthenticated') return error.code
    throw error
  }
}

const token = 'aaa.bbb.ccc'
const none = { kind: 'none' }
const identity = { kind: 'identity-token', token }
const apiKey = { kind: 'api-key', key: 'snk_x' }

/** The headers of a request, separated by `\n`, and the expected credentials. */
const shapes: readonly (readonly [name: string, headers: string, expected: unknown, path?: string])[] = [
  ['no header at all', '', none],
  ['a bearer token', `Authorization: Bearer ${token}`, identity],
  ['a scheme in lower case', `authorization: bearer ${token}`, identity],
  ['a scheme in mixed case', `AUTHORIZATION: bEaReR ${token}`, identity],
  ['several spaces after the scheme', `Authorization: Bearer   ${token}`, identity],
  ['a token with padding', 'Authorization: Bearer YQ==', { kind: 'identity-token', token: 'YQ==' }],
  ['an access token as a bearer', 'Authorization: Bearer snx_x', { kind: 'access-token', token: 'snx_x' }],
  ['an access token as a key', 'X-API-Key: snx_x', { kind: 'access-token', token: 'snx_x' }],
  ['a tab after the scheme', `Authorization: Bearer\t${token}`, 'invalid_token'],
  ['a tab among the spaces', `Authorization: Bearer \t${token}`, 'invalid_token'],
  ['the scheme alone', 'Authorization: Bearer', 'invalid_token'],
  ['no space after the scheme', `Authorization: Bearer${token}`, 'invalid_token'],
  ['an empty header', 'Authorization:', 'invalid_token'],
  ['two words after the scheme', `Authorization: Bearer ${token} ${token}`, 'invalid_token'],
  ['two tokens with a comma', `Authorization: Bearer ${token},Bearer ${token}`, 'invalid_token'],
  ['a token in quotation marks', `Authorization: Bearer "${token}"`, 'invalid_token'],
  ['padding alone', 'Authorization: Bearer ==', 'invalid_token'],
  ['the scheme Basic', 'Authorization: Basic YTpi', 'invalid_token'],
  ['the scheme DPoP', `Authorization: DPoP ${token}`, 'invalid_token'],
  ['a token without a scheme', `Authorization: ${token}`, 'invalid_token'],
  ['a byte beyond ASCII', `Authorization: Bearer ${token}\u00e9`, 'invalid_token'],
  [
    'two equal Authorization headers',
    `Authorization: Bearer ${token}\nauthorization: Bearer ${token}`,
    'ambiguous_credentials',
  ],
  [
    'a good and a broken Authorization',
    `Authorization: Bearer ${token}\nAuthorization: Basic x`,
    'ambiguous_credentials',
  ],
  ['two API keys', 'X-API-Key: snk_x\nx-api-key: snk_y', 'ambiguous_credentials'],
  ['a token and an API key', `Authorization: Bearer ${token}\nX-API-Key: snk_x`, 'ambiguous_credentials'],
  [
    'a broken Authorization and an API key',
    'X-API-Key: snk_x\nAuthorization: Basic x',
    'ambiguous_credentials',
  ],
  ['an API key', 'x-Api-kEy: snk_x', apiKey],
  ['a token in the query', '', none, `/?access_token=${token}&authorization=Bearer%20${token}`],
  ['a token in a cookie', `Cookie: authorization=Bearer ${token}; access_token=${token}`, none],
  [
    'a token in another header',
    `Proxy-Authorization: Bearer ${token}\nX-Authorization: Bearer ${token}`,
    none,
  ],
]

const cases = shapes.map(([name, headers, expected, path = '/']) => ({ name, headers, expected, path }))

describe('the credentials of a request on a socket', () => {
  let server: LocalServer

  beforeAll(async () => {
    server = await startLocalServer((request, response) => {
      response.end(JSON.stringify(reading(request.rawHeaders)))
    })
  })
  afterAll(() => server.stop())

  async function send(headers: string, path: string): Promise<string> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    await once(socket, 'connect')
    const lines = [
      `GET ${path} HTTP/1.1`,
      'Host: localhost',
      ...headers.split('\n').filter(Boolean),
      'Connection: close',
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
    return text(socket)
  }

  it.each(cases)('$name is read correctly', async ({ headers, expected, path }) => {
    const response = await send(headers, path)
    expect(JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4))).toEqual(expected)
  })

  it('headers of 17 KB are rejected', async () => {
    const response = await send(`Authorization: Bearer ${'a'.repeat(17_408)}`, '/')
    expect(response).toMatch(/^HTTP\/1\.1 431 /)
  })
})

describe('the length of a token', () => {
  it('may be up to 16 KB', () => {
    const longest = 'a'.repeat(16_384)
    expect(reading(['Authorization', `Bearer ${longest}`])).toEqual({
      kind: 'identity-token',
      token: longest,
    })
  })

  it('may not exceed 16 KB', () => {
    expect(reading(['Authorization', `Bearer ${'a'.repeat(16_385)}`])).toBe('invalid_token')
  })
})

it('a header whose value looks like a credential header is not one', () => {
  expect(reading(['X-Anything', 'authorization', 'Accept', 'x-api-key'])).toEqual(none)
})
