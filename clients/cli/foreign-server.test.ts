import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { explainedError } from './foreign-server.js'
import { run } from './run.js'
import { testTerminal } from './testing/test-terminal.js'

let stop: () => void = () => undefined
afterEach(() => stop())

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stop = () => server.close()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that gives every request the same answer, except for what it says of itself. */
function constant(status: number, type: string, body: string, config?: object): RequestListener {
  return ({ url }, response) => {
    if (config !== undefined && url === '/config.json')
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(config))
    else response.writeHead(status, { 'Content-Type': type }).end(body)
  }
}

async function failed(server: string, ...args: readonly string[]) {
  const env = { SNIPKEEP_SERVER: server, SNIPKEEP_KEY: 'k' }
  const { terminal, err } = testTerminal(false, { env })
  const code = await run([...args, '--no-retry'], terminal)
  return { code, err: err() }
}

const html = '<!doctype html><title>Welcome</title>'

it.each([
  [404, 'text/html', html, '404'],
  [404, 'application/json', '{"message":"Not Found"}', '404'],
  [405, 'text/plain', 'no', '405'],
  [200, 'text/html; charset=utf-8', html, 'HTML'],
  [200, 'application/json', '{"hello":"world"}', 'other JSON'],
  [200, 'text/plain', 'hello', 'text/plain'],
])('%i with %s %s is no Snipkeep server', async (status, type, body, what) => {
  const server = await serving(constant(status, type, body))
  for (const [command, path] of [
    ['whoami', '/api/auth/profile'],
    ['list', '/api/snippets'],
  ] as const)
    expect(await failed(server, command)).toEqual({
      code: 1,
      err: `Error: ${server} is not a Snipkeep server (${what} at ${path}).\n`,
    })
  expect((await failed(server, 'login')).err).toContain(`${server} is not a Snipkeep server (${what} at`)
})

it.each([403, 429, 502])('a %i of a proxy says nothing about the server behind it', async (status) => {
  const server = await serving(constant(status, 'text/html', html))
  expect((await failed(server, 'whoami')).err).toBe(`Error: The server returned ${status}.\n`)
})

it('a server that describes itself as Snipkeep does is one, whatever a proxy makes of a path', async () => {
  const config = { public_base_url: 'http://a.example', share_base_url: 'http://a.example' }
  const server = await serving(constant(404, 'text/html', html, config))
  expect(await failed(server, 'whoami')).toEqual({ code: 5, err: 'Error: The server returned 404.\n' })
})

it.each(['whoami', 'list'])(
  'a connection that breaks off says nothing about the server: %s',
  async (command) => {
    const server = await serving((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 })
      response.write('{"usage":', () => response.destroy())
    })
    expect(await failed(server, command)).toEqual({
      code: 7,
      err: 'Error: The connection broke before everything had arrived.\n',
    })
  },
)

it.each(['list', 'key list', 'trust list', 'history list'])(
  'lists of another server are none: %s',
  async (command) => {
    const server = await serving(constant(200, 'application/json', '{"hello":"world"}'))
    expect((await failed(server, ...command.split(' '))).err).toContain(
      `${server} is not a Snipkeep server (other JSON at /api/`,
    )
  },
)

it('a mistake of this program says nothing about the server', async () => {
  const received = { server: 'http://a.example', path: '/', status: 200, type: 'text/html' }
  const mistake = new TypeError('undefined is not a function')
  expect(await explainedError(mistake, received, () => Promise.reject(new Error('asked')))).toBe(mistake)
})
