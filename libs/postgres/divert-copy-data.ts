import type { Duplex } from 'node:stream'

/** The letter of `CopyData`, and the bytes of its letter and length. */
const copyData = 0x64
const headBytes = 5

/** Takes a piece of the content of a message; `left` bytes of the same message are still to come. */
export type TakePiece = (piece: Buffer, left: number) => void

/**
 * Takes the content of all `CopyData` messages from the bytes that a server sends, piece by piece as they arrive, and
 * leaves everything else to the driver that reads this stream. The driver itself gathers each message in buffers that
 * it doubles: for rows of 256 KiB that is four times the bytes, and the collector takes longer than the rest.
 * @returns a function that leaves everything to the driver again, as it was before.
 */
export function divertCopyData(stream: Duplex, take: TakePiece): () => void {
  const driver = stream.listeners('data')
  const head = Buffer.alloc(headBytes)
  let headFilled = 0
  let left = 0
  let diverted = false
  let active = true

  const leave = (bytes: Buffer): void => {
    for (const listener of driver) Reflect.apply(listener, stream, [bytes])
  }

  /** Reads the head of a message, which may be cut anywhere, and returns where it ends. */
  function readHead(chunk: Buffer, at: number): number {
    const part = chunk.subarray(at, at + headBytes - headFilled)
    head.set(part, headFilled)
    headFilled += part.length
    if (headFilled < headBytes) return chunk.length
    headFilled = 0
    left = head.readUInt32BE(1) - 4
    diverted = head[0] === copyData
    // A copy: the driver keeps what it cannot read yet.
    if (!diverted) leave(Buffer.from(head))
    return at + part.length
  }

  function onData(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (!active) {
        leave(chunk.subarray(at))
        return
      }
      if (left === 0) {
        at = readHead(chunk, at)
        continue
      }
      const piece = chunk.subarray(at, at + left)
      left -= piece.length
      at += piece.length
      if (diverted) take(piece, left)
      else leave(piece)
    }
  }

  stream.on('data', onData)
  for (const listener of driver) stream.off('data', listener as (chunk: Buffer) => void)
  return () => {
    if (!active) return
    active = false
    for (const listener of driver) stream.on('data', listener as (chunk: Buffer) => void)
    stream.off('data', onData)
  }
}
