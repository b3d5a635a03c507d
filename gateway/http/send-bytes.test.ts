import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { ReaderPaceRules } from './reader-pace.js'
import { type Part, sendBytes } from './send-bytes.js'

/** The response that a client gets; here, an error before it begins becomes a 503. */
async function responseOf(parts: readonly Part[], method = 'GET'): Promise<{ status: number; text: string }> {
  const server = createServer((_request, response) => {
    sendBytes(response, { 'X-Kind': 'bytes' }, parts).catch(() => {
      if (!response.headersSent) response.writeHead(503).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  try {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method })
    return { status: response.status, text: await response.text() }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Yields texts, then throws the error if there is one; `ends` records that the stream was closed. */
async function* arriving(
  texts: readonly string[],
  ends: string[],
  error?: Error,
): AsyncGenerator<Uint8Array> {
  try {
    for (const text of texts) yield Buffer.from(text)
    if (error !== undefined) throw error
  } finally {
    ends.push('done')
  }
}

const bytes = (text: string): Uint8Array => Buffer.from(text)

describe('the parts of a response', () => {
  it('are sent in order, whether bytes or streams', async () => {
    const ends: string[] = []
    const parts = [bytes('['), arriving(['1', ',2'], ends), bytes(','), arriving(['3'], ends), bytes(']')]
    expect([await responseOf(parts), ends]).toEqual([{ status: 200, text: '[1,2,3]' }, ['done', 'done']])
  })

  it('may be empty, or none at all', async () => {
    expect(await responseOf([bytes('['), arriving([], []), bytes(']')])).toEqual({ status: 200, text: '[]' })
    expect(await responseOf([])).toEqual({ status: 200, text: '' })
  })

  it('that fail before their first byte become a problem, even after other parts', async () => {
    const failing = arriving([], [], new Error('the store is gone'))
    expect((await responseOf([bytes('{"data":'), failing, bytes('}')])).status).toBe(503)
  })

  it('that fail halfway cut the response off', async () => {
    const failing = arriving(['1'], [], new Error('the store is gone'))
    await expect(responseOf([bytes('['), failing, bytes(']')])).rejects.toThrow()
  })

  it('are not read for HEAD', async () => {
    const ends: string[] = []
    expect([await responseOf([arriving(['1'], ends)], 'HEAD'), ends]).toEqual([{ status: 200, text: '' }, []])
  })
})

interface Deferred {
  readonly promise: Promise<void>
  readonly resolve: () => void
}

function deferred(): Deferred {
  let resolve = (): void => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** A server that sends endless chunks, and a client that sends this many requests and does not read. */
async function openReader(requests: number, ended: () => void, pace?: ReaderPaceRules): Promise<Socket> {
  async function* forEver(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Buffer.alloc(65_536)
    } finally {
      ended()
    }
  }
  const server = createServer((_request, response) => {
    sendBytes(response, {}, [forEver()], pace).catch(() => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const socket = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(requests))
  socket.once('close', () => server.close())
  return socket
}

describe('a reader', () => {
  it('who is too slow is disconnected, and the stream is closed', async () => {
    let ends = 0
    const done = deferred()
    const ended = (): void => {
      ends += 1
      done.resolve()
    }
    const socket = await openReader(1, ended, { minBytesPerSecond: 1e12, afterMs: 50 })
    await done.promise
    socket.resume()
    await once(socket, 'close')
    expect(ends).toBe(1)
  })

  it('who pauses after reading fast enough stays connected', async () => {
    let ends = 0
    const socket = await openReader(1, () => (ends += 1), { minBytesPerSecond: 1, afterMs: 50 })
    const other = deferred()
    // Both began waiting at about the same time; only the one with the high minimum is disconnected.
    const slow = await openReader(1, other.resolve, { minBytesPerSecond: 1e12, afterMs: 200 })
    await other.promise
    expect(ends).toBe(0)
    slow.destroy()
    socket.destroy()
  })

  it('who disconnects with pipelined responses pending leaves no stream open', async () => {
    const done = deferred()
    let ends = 0
    const socket = await openReader(5, () => {
      ends += 1
      if (ends === 5) done.resolve()
    })
    socket.once('readable', () => setImmediate(() => socket.destroy()))
    await done.promise
    expect(ends).toBe(5)
  })
})
