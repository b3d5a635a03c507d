import type { Writable } from 'node:stream'

/** A message is full with so many bytes. What is larger does not keep others waiting. */
export const messageBytesMax = 65_536
/** A message with more calls, cancelled ones included, is not from one of our processes. */
export const messageCallsMax = 256

/**
 * Writes the items of one turn of the event loop as one message, and only as fast as the other end takes them.
 * @param next takes one of those that wait.
 */
export function turnWriter<Item>(
  stream: Writable,
  sizeOf: (item: Item) => number,
  messageOf: (items: readonly Item[]) => unknown,
  next = (some: Item[]): Item | undefined => some.shift(),
) {
  const waiting: Item[] = []
  let [isScheduled, isWriting, isEnding] = [false, false, false]

  const write = (): void => {
    isScheduled = false
    if (isWriting || !stream.writable) return
    const taken: Item[] = []
    for (let bytes = 0; bytes < messageBytesMax && taken.length < messageCallsMax; ) {
      const item = next(waiting)
      if (item === undefined) break
      taken.push(item)
      bytes += sizeOf(item)
    }
    isWriting = taken.length > 0
    if (isWriting)
      stream.write(messageOf(taken), () => {
        isWriting = false
        write()
      })
    else if (isEnding) stream.end()
  }
  const schedule = (): void => {
    if (!isScheduled) setImmediate(write)
    isScheduled = true
  }
  return {
    /** What is not written; may be removed. */
    waiting,
    add(item: Item): void {
      waiting.push(item)
      schedule()
    },
    /** Ends the stream once everything is written. */
    end(): void {
      isEnding = true
      schedule()
    },
  }
}
