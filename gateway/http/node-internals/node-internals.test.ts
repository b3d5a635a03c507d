import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, Server as NetServer, type Socket } from 'node:net'
import express, { type Request, type Response } from 'express'
import { afterEach, describe, expect, it } from 'vitest'
import { currentResponse, respondsToLastRequest } from './current-response.js'
import { lingerOnClose } from './linger-on-close.js'
import { preparedMessages } from './prepared-messages.js'
import { createSendWhole, headerLines } from './whole-response.js'

// Everything in this folder relies on undocumented behaviour of Node and Express. If an upgrade breaks one of these
// tests, start with the file that it names.

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const opened: (Server | Socket)[] = []
afterEach(() => {
  for (const one of opened.splice(0)) {
    if ('closeAllConnections' in one) one.closeAllConnections()
    if ('close' in one) one.close()
    else one.destroy()
  }
})

async function listen(server: Server): Promise<number> {
  opened.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function send(port: number, bytes: string): Promise<{ socket: Socket; text: () => string }> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  opened.push(socket)
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  await once(socket, 'connect')
  socket.write(bytes)
  return { socket, text: () => text }
}

it('prepared-messages: Express does not change the prototypes of prepared messages', async () => {
  const app = express()
  const messages = preparedMessages(app)
  app.use((request: Request, response: Response) => {
    response.json({
      request: Object.getPrototypeOf(request) === messages.IncomingMessage.prototype,
      response: Object.getPrototypeOf(response) === messages.ServerResponse.prototype,
      path: request.path,
    })
  })
  const port = await listen(createServer(messages, app))
  const { text } = await send(port, request)
  await expect.poll(text).toContain('{"request":true,"response":true,"path":"/"}')
})

it('current-response: a connection has its response in progress, and shows whether another request has arrived', async () => {
  const received: { socket: Socket; response: ServerResponse }[] = []
  const port = await listen(createServer(({ socket }, response) => received.push({ socket, response })))
  const { socket, text } = await send(port, request)
  await expect.poll(() => received.length).toBe(1)
  const [first] = received
  if (first === undefined) throw new Error('no request arrived')
  expect(currentResponse(first.socket)).toBe(first.response)
  expect(respondsToLastRequest(first.socket, first.response)).toBe(true)
  socket.write(request)
  await expect.poll(() => received.length).toBe(2)
  expect(currentResponse(first.socket)).toBe(first.response)
  expect(respondsToLastRequest(first.socket, first.response)).toBe(false)
  for (const { response } of received) response.end('done')
  await expect.poll(() => text().match(/done/g)?.length).toBe(2)
  expect(currentResponse(first.socket)).toBeNull()
})

it('linger-on-close: Node closes a connection through destroySoon, which can wait for the caller', async () => {
  let served: { request: IncomingMessage; discarded: boolean } | undefined
  const port = await listen(
    createServer((request, response) => {
      served = { request, discarded: false }
      lingerOnClose(request.socket, () => {
        served = { request, discarded: true }
        request.resume()
      })
      response.setHeader('Connection', 'close')
      response.end('refused')
    }),
  )
  const { socket, text } = await send(port, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1234')
  await once(socket, 'end')
  expect(text()).toContain('refused')
  expect(served?.discarded).toBe(true)
  expect(served?.request.socket.destroyed).toBe(false)
  socket.end('56789')
  await expect.poll(() => served?.request.socket.destroyed).toBe(true)
})

it('drain-server: closing a server as a net.Server keeps its open connections', async () => {
  const server = createServer((_request, response) => response.end('done'))
  const port = await listen(server)
  const { socket, text } = await send(port, request)
  await expect.poll(text).toContain('done')
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve))
  socket.write(request)
  await expect.poll(() => text().match(/done/g)?.length).toBe(2)
  server.closeIdleConnections()
  await closed
})

describe('whole-response', () => {
  const headers = headerLines([
    ['X-Test', 'a:b: c'],
    ['Content-Length', 4],
  ])
  /** The response without its date, and whether it was written in several chunks. */
  async function respond(head: string): Promise<{ text: string; inPieces: boolean }> {
    const sendWhole = createSendWhole()
    let inPieces = false
    const server = createServer({ keepAliveTimeout: 75_000 }, ({ socket }, response) => {
      const { _writev: writePieces } = socket
      socket._writev = (...args) => {
        inPieces = true
        writePieces?.apply(socket, args)
      }
      sendWhole(response, 200, headers, 'n\u00e9\u00ff!', 'latin1')
    })
    const { socket, text } = await send(await listen(server), head)
    const complete = head.startsWith('HEAD') ? '\r\n\r\n' : 'n\u00e9\u00ff!'
    await expect.poll(text).toContain(complete)
    socket.end()
    return { text: text().replace(/Date: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/g, 'Date: now'), inPieces }
  }
  const sent = 'X-Test: a:b: c\r\nContent-Length: 4\r\nDate: now\r\n'

  it('sends head and body in one chunk', async () => {
    const { text, inPieces } = await respond(request)
    expect(text).toBe(
      `HTTP/1.1 200 OK\r\n${sent}Connection: keep-alive\r\nKeep-Alive: timeout=75\r\n\r\nn\u00e9\u00ff!`,
    )
    expect(inPieces).toBe(false)
  })

  it('sends the same with the public API if the connection closes, and to a HEAD', async () => {
    const closing = await respond('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(closing.text).toBe(`HTTP/1.1 200 OK\r\n${sent}Connection: close\r\n\r\nn\u00e9\u00ff!`)
    const head = await respond('HEAD / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(head.text).toBe(
      `HTTP/1.1 200 OK\r\n${sent}Connection: keep-alive\r\nKeep-Alive: timeout=75\r\n\r\n`,
    )
  })

  it('keeps the connection usable for the next request', async () => {
    const sendWhole = createSendWhole()
    const port = await listen(
      createServer(({ url }, response) => {
        const path = String(url)
        const lines = headerLines([['Content-Length', path.length]])
        sendWhole(response, 200, lines, path, 'utf8')
      }),
    )
    const { text } = await send(port, request.replace('/ ', '/first ') + request.replace('/ ', '/second '))
    await expect.poll(text).toMatch(/\r\n\r\n\/firstHTTP[\s\S]*\r\n\r\n\/second$/)
  })
})
