import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readCopyStream } from './copy-stream-reader.js'
import { openSocketWithReusableBuffer } from './reusable-read-buffer.js'

const closing: (() => void)[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) close()
})

/** A socket with a reusable buffer, and its peer. */
async function connected(): Promise<{ socket: Socket; peer: Socket }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const socket = openSocketWithReusableBuffer()
  socket.connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1')
  const [[peer]] = (await Promise.all([once(server, 'connection'), once(socket, 'connect')])) as [
    [Socket],
    unknown,
  ]
  closing.push(() => {
    socket.destroy()
    peer.destroy()
    server.close()
  })
  return { socket, peer }
}

function message(letter: string, content: Uint8Array): Buffer {
  const head = Buffer.alloc(5, letter)
  head.writeInt32BE(4 + content.length, 1)
  return Buffer.concat([head, content])
}

/** Sends these bytes in chunks of this size, each as its own packet if possible. */
async function send(peer: Socket, bytes: Buffer, size: number): Promise<void> {
  peer.setNoDelay(true)
  for (let at = 0; at < bytes.length; at += size) {
    peer.write(bytes.subarray(at, at + size))
    await sleep(1)
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 20_000 && !condition(); turn += 1) await sleep(1)
}

describe('a socket with a reusable buffer', () => {
  it('gives its listeners bytes that they may keep', async () => {
    const { socket, peer } = await connected()
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    await send(peer, Buffer.from('0123456789'), 4)
    await until(() => Buffer.concat(chunks).length === 10)
    expect(Buffer.concat(chunks).toString()).toBe('0123456789')
  })

  it('closes, and pauses reading without a consumer', async () => {
    const { socket, peer } = await connected()
    const bytes = Buffer.alloc(3_000_000, 'abc')
    peer.end(bytes)
    await sleep(50)
    expect(socket.readableLength).toBeLessThan(200_000)
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
  })
})

describe('the data of a COPY from such a socket', () => {
  it('is read in large pieces even if it arrives in small ones', async () => {
    const { socket, peer } = await connected()
    const row = Buffer.alloc(200_000)
    let filled = 0
    let arrived = (): void => {}
    const leave = readCopyStream(
      socket,
      (piece) => {
        filled += piece.length
        arrived()
      },
      () => row.subarray(filled),
    )
    const untilFilled = (bytes: number): Promise<void> =>
      new Promise((resolve) => {
        arrived = () => {
          if (filled === bytes) resolve()
        }
        arrived()
      })
    const send = async (piece: Buffer): Promise<void> => {
      await new Promise((resolve) => peer.write(piece, resolve))
      for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    // The head of the message, and then a first piece that is read in place.
    await send(message('d', row).subarray(0, 5 + 100))
    await untilFilled(100)
    await send(Buffer.alloc(8_192))
    await untilFilled(8_292)
    await send(Buffer.alloc(8_192))
    await send(Buffer.alloc(8_192))
    expect(filled).toBe(8_292)
    vi.advanceTimersByTime(1)
    await untilFilled(24_676)
    leave()
  })

  it('is read into the given buffer, and everything else is left to the driver', async () => {
    const contents = [
      Buffer.from('first'),
      Buffer.alloc(300, 'x'),
      Buffer.alloc(200_000, 'row'),
      Buffer.from('ab'),
    ]
    const [opened, done] = [message('H', Buffer.alloc(3)), message('c', Buffer.alloc(0))]
    const bytes = Buffer.concat([opened, ...contents.map((content) => message('d', content)), done])
    for (const size of [50_000, 1_000_000]) {
      const { socket, peer } = await connected()
      const driver: Buffer[] = []
      socket.on('data', (chunk: Buffer) => driver.push(chunk))
      const taken: Buffer[] = []
      let row = Buffer.alloc(0)
      let placed = 0
      const leave = readCopyStream(
        socket,
        (piece, left) => {
          if (piece.buffer === row.buffer) placed += piece.length
          else taken.push(Buffer.from(piece))
          if (left > 0) return
          taken.push(Buffer.from(row.subarray(0, placed)))
          placed = 0
          row = Buffer.alloc(0)
        },
        (left) => {
          if (row.length === 0) row = Buffer.allocUnsafeSlow(left)
          return row.subarray(placed)
        },
      )
      await send(peer, bytes, size)
      await until(() => Buffer.concat(driver).length === opened.length + done.length)
      leave()
      await send(peer, Buffer.from('afterwards'), 3)
      await until(() => Buffer.concat(driver).toString('latin1').endsWith('afterwards'))
      expect(Buffer.concat(taken).equals(Buffer.concat(contents)), `${size}`).toBe(true)
      const rest = Buffer.concat([opened, done, Buffer.from('afterwards')])
      expect(Buffer.concat(driver).toString('latin1'), `${size}`).toBe(rest.toString('latin1'))
    }
  })
})
