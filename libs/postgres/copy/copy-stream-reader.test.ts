import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readCopyStream } from './copy-stream-reader.js'

function message(letter: string, content: string): Buffer {
  const head = Buffer.alloc(5, letter)
  head.writeInt32BE(4 + content.length, 1)
  return Buffer.concat([head, Buffer.from(content)])
}

/** Sends these bytes in chunks of this size; returns what the driver and our reader got. */
async function send(bytes: Buffer, size: number) {
  const stream = new PassThrough()
  const driver: Buffer[] = []
  stream.on('data', (chunk: Buffer) => driver.push(chunk))
  const ours: string[] = ['']
  const leave = readCopyStream(stream, (piece, left) => {
    ours[ours.length - 1] += piece.toString()
    if (left === 0) ours.push('')
  })
  for (let at = 0; at < bytes.length; at += size) stream.write(bytes.subarray(at, at + size))
  await new Promise((resolve) => setImmediate(resolve))
  leave()
  stream.write('afterwards')
  await new Promise((resolve) => setImmediate(resolve))
  return { driver: Buffer.concat(driver).toString('latin1'), ours }
}

describe('the data of a COPY', () => {
  it('is extracted from the server’s messages, however they are chunked', async () => {
    const [opened, done, complete] = [message('H', '\0\0\0'), message('c', ''), message('C', 'COPY 2\0')]
    const bytes = Buffer.concat([
      opened,
      message('d', 'first'),
      message('d', 'x'.repeat(300)),
      done,
      complete,
    ])
    for (const size of [1, 2, 3, 5, 7, 64, 1_000]) {
      const { driver, ours } = await send(bytes, size)
      expect(ours, `${size}`).toEqual(['first', 'x'.repeat(300), ''])
      const rest = Buffer.concat([opened, done, complete, Buffer.from('afterwards')])
      expect(driver, `${size}`).toBe(rest.toString('latin1'))
    }
  })
})
