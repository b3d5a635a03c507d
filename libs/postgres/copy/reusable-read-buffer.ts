import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net'
import type { Duplex } from 'node:stream'

/** Somebody who says where the bytes of a socket are to be put. */
export interface SocketReader {
  /** Where the next bytes go, at least one; `null` where it is all the same. */
  room(): Buffer | null
  /** Bytes that have arrived, in the room that was given for them or anywhere; they are overwritten soon. */
  arrived(bytes: Buffer): void
}

/** As much as Node reads at once by itself. */
const ownBytes = 65_536

/** How the reader of each socket is set: it belongs to the socket, which the driver hands on as any stream. */
const readers = new WeakMap<Duplex, (reader: SocketReader | null) => void>()

/**
 * A socket that reads into memory which it uses again, where Node takes 64 KiB for every read and leaves them to the
 * collector, or into that of a reader: the kernel then puts bytes where they belong. Whoever listens to the socket gets
 * copies; one that is wrapped for encryption is read as ever.
 */
export function openSocketWithReusableBuffer(): Socket {
  const own = Buffer.allocUnsafeSlow(ownBytes)
  let reader: SocketReader | null = null
  const onread: OnReadOpts = {
    buffer: () => reader?.room() ?? own,
    callback(count, buffer) {
      const bytes = Buffer.from(buffer.buffer, buffer.byteOffset, count)
      if (reader === null) return socket.push(Buffer.from(bytes))
      reader.arrived(bytes)
      return true
    },
  }
  const options: SocketConstructorOpts & { readonly onread: OnReadOpts } = { onread }
  const socket = new Socket(options)
  readers.set(socket, (next) => {
    reader = next
  })
  return socket
}

/** How the reader of a direct socket is set, and taken away with `null`; absent for any other stream. */
export function readerOf(stream: Duplex): ((reader: SocketReader | null) => void) | undefined {
  return readers.get(stream)
}
