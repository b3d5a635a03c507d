import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { keepAliveMs } from './keep-alive.js'
import { sendWhole } from './send-whole.js'

const lines = 'X-One: 1\r\nX-Two: two: three\r\nContent-Length: 3\r\n'
const body = Buffer.from('aü').toString('latin1')

/** All that a server which answers so sends over one connection, with every date alike. */
async function conversation(send: (response: ServerResponse) => void, sent: string): Promise<string> {
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (_request, response) =>
    send(response),
  ).listen(0)
  try {
    await once(server, 'listening')
    const socket = connect((server.address() as AddressInfo).port)
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.write(sent)
    await Promise.race([once(socket, 'close'), new Promise((resolve) => setTimeout(resolve, 200))])
    const open = !socket.destroyed
    socket.destroy()
    const text = Buffer.concat(chunks).toString()
    expect(text).toMatch(/Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/)
    return `${text.replaceAll(/Date: [^\r]*/g, 'Date: now')}(${open ? 'open' : 'closed'})`
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const whole = (response: ServerResponse): void => sendWhole(response, 200, lines, body)
const oneByOne = (response: ServerResponse): void => {
  response.writeHead(200, ['X-One', '1', 'X-Two', 'two: three', 'Content-Length', '3'])
  response.end(body, 'latin1')
}

describe('an answer that is sent with a head that is written already', () => {
  it.each([
    ['one after another', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3)],
    ['and the connection is closed', 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['to a caller of HTTP/1.0', 'GET / HTTP/1.0\r\nHost: x\r\n\r\n'],
  ])('is byte for byte what Node makes of its headers: %s', async (_name, sent) => {
    const answer = await conversation(whole, sent)
    expect(answer).toBe(await conversation(oneByOne, sent))
    expect(answer).toContain('\r\n\r\naü')
  })

  it('has no body for a HEAD', async () => {
    const sent = 'HEAD / HTTP/1.1\r\nHost: x\r\n\r\n'
    const answer = await conversation(whole, sent)
    expect(answer).toBe(await conversation(oneByOne, sent))
    expect(answer).not.toContain('aü')
  })

  it('leaves a connection that is to be closed to Node', async () => {
    const sent = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
    const closing = (send: (response: ServerResponse) => void) => (response: ServerResponse) => {
      response.setHeader('Connection', 'close')
      send(response)
    }
    const answer = await conversation(closing(whole), sent)
    expect(answer).toBe(await conversation(closing(oneByOne), sent))
    expect(answer).toContain('(closed)')
  })

  it('is told to be finished at once, as one of Node is', async () => {
    const finished: boolean[] = []
    const watch = (response: ServerResponse) => {
      response.once('finish', () => finished.push(response.writableFinished))
      whole(response)
    }
    await conversation(watch, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2))
    expect(finished).toEqual([true, true])
  })

  it.each([
    ['takes no head', { _send: () => true }],
    ['sends nothing so', {}],
  ])('is made by Node where it %s', (_what, inside) => {
    const calls: unknown[] = []
    const elsewhere = {
      ...inside,
      req: { method: 'GET' },
      shouldKeepAlive: true,
      headersSent: false,
      hasHeader: () => false,
      writeHead: (...args: unknown[]) => calls.push(args),
      end: (...args: unknown[]) => calls.push(args),
    }
    sendWhole(elsewhere as unknown as ServerResponse, 200, lines, body)
    expect(calls).toEqual([
      [200, ['X-One', '1', 'X-Two', 'two: three', 'Content-Length', '3']],
      [body, 'latin1'],
    ])
  })
})
