import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BodyServer, codeOf, startBodyServer } from './testing/body-server.js'

let server: BodyServer
beforeAll(async () => {
  server = await startBodyServer()
})
afterAll(() => server.close())

/** Sends a head and a body, `{}` by default, and returns the error code, if any. */
async function codeFor(lines: readonly string[], body = '{}'): Promise<string | undefined> {
  const socket = await server.connect([`Content-Length: ${body.length}`, ...lines])
  socket.write(body)
  const outcome = await server.next()
  socket.destroy()
  return codeOf(outcome)
}

const json = 'Content-Type: application/json'

describe('Content-Type', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/json;',
  ])('may be %s', async (type) => expect(await codeFor([`Content-Type: ${type}`])).toBeUndefined())

  it.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json-patch+json',
    'application/vnd.api+json',
    'application/octet-stream',
    '*/*',
    'application/json, text/plain',
    'application/json; charset=utf-7',
    'application/json; charset=utf-16',
    'application/json; charset=utf-16le',
    'application/json; charset=utf-32',
    'application/json; charset=iso-8859-1',
    'application/json; charset=',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json charset=utf-8',
    '',
  ])('may not be %j', async (type) =>
    expect(await codeFor([`Content-Type: ${type}`])).toBe('unsupported_media_type'),
  )

  it('is required even for an empty body', async () => {
    expect(await codeFor([])).toBe('unsupported_media_type')
    expect(await codeFor([], '')).toBe('unsupported_media_type')
  })

  it('may not be duplicated', async () => {
    expect(await codeFor([json, 'Content-Type: text/plain'])).toBe('unsupported_media_type')
    expect(await codeFor([json, json])).toBe('unsupported_media_type')
  })
})

describe('Content-Encoding', () => {
  it.each(['gzip', 'x-gzip', 'X-GZip'])(
    '%s is inflated, which a plain body is refused for',
    async (encoding) => expect(await codeFor([json, `Content-Encoding: ${encoding}`])).toBe('malformed_json'),
  )

  it.each(['identity', 'Identity'])('may be %s', async (encoding) =>
    expect(await codeFor([json, `Content-Encoding: ${encoding}`])).toBeUndefined(),
  )

  it.each(['br', 'deflate', 'zstd', 'compress', 'gzip, gzip', 'gzip, identity', 'identity, gzip', 'aes'])(
    'may not be %s',
    async (encoding) => {
      expect(await codeFor([json, `Content-Encoding: ${encoding}`])).toBe('unsupported_media_type')
    },
  )

  it('may not be duplicated', async () => {
    expect(await codeFor([json, 'Content-Encoding: gzip', 'Content-Encoding: gzip'])).toBe(
      'unsupported_media_type',
    )
  })

  it('is checked before any of the body has arrived', async () => {
    const socket = await server.connect([json, 'Content-Length: 50000', 'Content-Encoding: br'])
    expect(codeOf(await server.next())).toBe('unsupported_media_type')
    socket.destroy()
  })
})

describe('an empty body', () => {
  it.each([
    ['of declared length 0', ['Content-Length: 0']],
    ['without a length', []],
  ])('%s is malformed', async (_what, lines) => {
    const socket = await server.connect([json, ...lines])
    expect(codeOf(await server.next())).toBe('malformed_json')
    socket.destroy()
  })

  it('in chunks is malformed', async () => {
    const socket = await server.connect([json, 'Transfer-Encoding: chunked'])
    socket.write('0\r\n\r\n')
    expect(codeOf(await server.next())).toBe('malformed_json')
    socket.destroy()
  })
})

describe('Expect: 100-continue', () => {
  async function firstResponse(lines: readonly string[]): Promise<string> {
    const socket = await server.connect([...lines, 'Expect: 100-Continue'])
    const response = await new Promise<string>((resolve) =>
      socket.once('data', (bytes) => resolve(String(bytes))),
    )
    socket.write('{}')
    await server.next()
    socket.destroy()
    return response
  }

  it('gets 100 once the headers are accepted', async () => {
    expect(await firstResponse([json, 'Content-Length: 2'])).toMatch(/^HTTP\/1.1 100 /)
  })

  it('gets no 100 for a body rejected by its headers', async () => {
    for (const lines of [
      ['Content-Type: text/plain', 'Content-Length: 2'],
      [json, 'Content-Encoding: br', 'Content-Length: 2'],
      [json, 'Content-Length: 5308417'],
    ]) {
      expect(await firstResponse(lines)).toMatch(/^HTTP\/1.1 400 /)
    }
  })
})
