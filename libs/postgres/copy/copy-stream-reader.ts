import type { Duplex } from 'node:stream'
import { readerOf } from './reusable-read-buffer.js'

/** The letter of `CopyData`, and the length of letter and size together. */
const copyData = 0x64
const headBytes = 5

/** Takes a piece of the content of a message; `left` bytes of the same message follow. */
export type TakePiece = (piece: Buffer, left: number) => void

/** Where to put the next piece of a message of which `left` bytes follow, to be read in place. */
export type RoomForPiece = (left: number) => Buffer

type Driver = readonly ((chunk: Buffer) => void)[]

/** Parses the bytes from a server, in pieces of any size. */
interface MessageReader {
  read(chunk: Buffer): void
  /** Where the next bytes go. */
  room(): Buffer | null
  /** Leaves everything from now on to the driver. */
  end(): void
}

function createMessageReader(
  leave: (bytes: Buffer) => void,
  take: TakePiece,
  roomFor?: RoomForPiece,
): MessageReader {
  const head = Buffer.alloc(headBytes)
  let headFilled = 0
  let left = 0
  let diverted = false
  let active = true

  /** Reads the head of a message, which may be split anywhere, and returns where it ends. */
  function readHead(chunk: Buffer, at: number): number {
    const part = chunk.subarray(at, at + headBytes - headFilled)
    head.set(part, headFilled)
    headFilled += part.length
    if (headFilled < headBytes) return chunk.length
    headFilled = 0
    left = head.readUInt32BE(1) - 4
    diverted = head[0] === copyData
    // A copy, because the driver keeps what it cannot parse yet.
    if (!diverted) leave(Buffer.from(head))
    return at + part.length
  }

  return {
    read(chunk) {
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
    },
    room() {
      if (left === 0) return head.subarray(headFilled)
      return diverted ? (roomFor?.(left) ?? null) : null
    },
    end() {
      active = false
    },
  }
}

/**
 * Takes the content of all `CopyData` messages from a server's stream, piece by piece, and leaves everything else to
 * the driver that reads this stream. The driver itself collects each message in buffers that it doubles: for rows of
 * 256 KiB that is four times the bytes, and garbage collection takes longer than the rest.
 * @param roomFor where a reusable-buffer socket reads pieces into; any other stream has memory of its own.
 * @returns a function that leaves everything to the driver again.
 */
export function readCopyStream(stream: Duplex, take: TakePiece, roomFor?: RoomForPiece): () => void {
  const driver = stream.listeners('data') as unknown as Driver
  const setReader = roomFor === undefined ? undefined : readerOf(stream)
  const leave = (bytes: Buffer): void => {
    for (const listener of driver) Reflect.apply(listener, stream, [bytes])
  }
  if (roomFor !== undefined && setReader !== undefined) {
    const reader = createMessageReader((bytes) => leave(Buffer.from(bytes)), take, roomFor)
    setReader({ room: reader.room, arrived: reader.read })
    return () => {
      reader.end()
      setReader(null)
    }
  }
  const reader = createMessageReader(leave, take)
  stream.on('data', reader.read)
  for (const listener of driver) stream.off('data', listener)
  let left = false
  return () => {
    if (left) return
    left = true
    reader.end()
    for (const listener of driver) stream.on('data', listener)
    stream.off('data', reader.read)
  }
}
