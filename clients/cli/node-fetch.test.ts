import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProxiedFetch } from './node-fetch.js'

const servers: Server[] = []
const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** Starts a server that responds with what it was sent, or redirects to what `?to=` names. */
async function start(): Promise<string> {
  const server = createServer(({ url = '', headers }, response) => {
    const to = new URL(url, 'http://any.invalid').searchParams.get('to')
    if (to === null) return void response.end(JSON.stringify(headers))
    response.writeHead(302, { Location: to }).end()
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return addressOf(server)
}

let first: string
let other: string

beforeAll(async () => {
  ;[first, other] = await Promise.all([start(), start()])
})
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

const credentials = { authorization: 'Bearer a', cookie: 'b=c', 'proxy-authorization': 'Basic d' }

async function sentTo(address: string): Promise<IncomingHttpHeaders> {
  const headers = { ...credentials, 'x-kept': 'yes' }
  const response = await createProxiedFetch({})(address, { headers })
  return (await response.json()) as IncomingHttpHeaders
}

it('a redirect within an origin keeps the credentials', async () => {
  expect(await sentTo(`${first}/?to=/there`)).toMatchObject({ ...credentials, 'x-kept': 'yes' })
})

it('no other origin that a redirect leads to gets the credentials, nor does the way back', async () => {
  const back = `${other}/?to=${encodeURIComponent(first)}`
  for (const to of [other, back]) {
    const sent = await sentTo(`${first}/?to=${encodeURIComponent(to)}`)
    expect(sent).toMatchObject({ 'x-kept': 'yes' })
    for (const name of Object.keys(credentials)) expect(sent).not.toHaveProperty(name)
  }
})
