import { Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { messageCallsMax, turnWriter } from './turn-writer.js'

/** A writer of numbers, each as large as it says, and an other end that takes a message when it is let. */
function open() {
  const messages: (readonly number[])[] = []
  let take = (): void => {}
  const stream = new Writable({
    objectMode: true,
    write(message: readonly number[], _encoding, done) {
      messages.push(message)
      take = done
    },
  })
  const ended = new Promise((resolve) => stream.on('finish', resolve))
  const writer = turnWriter<number>(
    stream,
    (item) => item,
    (items) => items,
  )
  return { writer, messages, stream, ended, take: () => take() }
}

it('what is added in one turn is one message, and what is added while it is on its way waits for the other end', async () => {
  const { writer, messages, stream, take } = open()
  writer.add(1)
  writer.add(2)
  await turn()
  for (const item of [3, 4, 5]) {
    writer.add(item)
    await turn()
  }
  expect(messages).toEqual([[1, 2]])
  expect([writer.waiting, stream.writableLength]).toEqual([[3, 4, 5], 1])
  writer.waiting.splice(1, 1)
  take()
  await turn()
  expect(messages).toEqual([
    [1, 2],
    [3, 5],
  ])
})

it('a message is full with 64 KiB or 256 items, and the stream ends after the last', async () => {
  const { writer, messages, ended, take } = open()
  for (const item of [65_535, 1, 2]) writer.add(item)
  for (let item = 0; item < messageCallsMax; item += 1) writer.add(0)
  writer.end()
  for (let round = 0; round < 4; round += 1) {
    await turn()
    take()
  }
  await ended
  expect(messages.map(({ length }) => length)).toEqual([2, 256, 1])
})
