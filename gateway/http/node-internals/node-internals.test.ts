import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, Server as NetServer, type Socket } from 'node:net'
import express, { type Request, type Response } from 'express'
import { afterEach, describe, expect, it } from 'vitest'
import { currentResponse, respondsToLastRequest } from './current-response.js'
import { lingerOnClose } from './linger-on-close.js'
import { preparedMessages } from './prepared-messages.js'
import { createSendWhole, headerLines } from './whole-response.js'

// Everything in this folder rests on what Node and Express do not document. When an upgrade breaks one of these, read
// the file that it names before anything else.

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

it('prepared-messages: Express leaves the prototypes of messages as they were made', async () => {
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

it('current-response: a connection names the response that it is busy with, and whether another request has arrived', async () => {
  const begun: { socket: Socket; response: ServerResponse }[] = []
  const port = await listen(createServer(({ socket }, response) => begun.push({ socket, response })))
  const { socket, text } = await send(port, request)
  await expect.poll(() => begun.length).toBe(1)
  const [first] = begun
  if (first === undefined) throw new Error('no request arrived')
  expect(currentResponse(first.socket)).toBe(first.response)
  expect(respondsToLastRequest(first.socket, first.response)).toBe(true)
  socket.write(request)
  await expect.poll(() => begun.length).toBe(2)
  expect(currentResponse(first.socket)).toBe(first.response)
  expect(respondsToLastRequest(first.socket, first.response)).toBe(false)
  for (const { response } of begun) response.end('done')
  await expect.poll(() => text().match(/done/g)?.length).toBe(2)
  expect(currentResponse(first.socket)).toBeNull()
})

it('linger-on-close: Node closes a connection by destroySoon, which may wait for what is still being sent', async () => {
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

it('drain-server: closing a server as a net.Server leaves its open connections alone', async () => {
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
  /** The response to a request, without its date, and whether the system was given it in several pieces. */
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

  it('sends head and body in one piece', async () => {
    const { text, inPieces } = await respond(request)
    expect(text).toBe(
      `HTTP/1.1 200 OK\r\n${sent}Connection: keep-alive\r\nKeep-Alive: timeout=75\r\n\r\nn\u00e9\u00ff!`,
    )
    expect(inPieces).toBe(false)
  })

  it('says the same by public means when the connection closes, and to a HEAD', async () => {
    const closing = await respond('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(closing.text).toBe(`HTTP/1.1 200 OK\r\n${sent}Connection: close\r\n\r\nn\u00e9\u00ff!`)
    expect(closing.inPieces).toBe(true)
    const head = await respond('HEAD / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(head.text).toBe(
      `HTTP/1.1 200 OK\r\n${sent}Connection: keep-alive\r\nKeep-Alive: timeout=75\r\n\r\n`,
    )
  })

  it('lets the next request on the connection be served', async () => {
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
