import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net'
import type { Duplex } from 'node:stream'

/** Decides where the bytes of a socket are put. */
export interface SocketReader {
  /** Where the next bytes go, at least one; `null` for anywhere. */
  room(): Buffer | null
  /** Bytes that have arrived, in the given memory or elsewhere; they are overwritten soon. */
  arrived(bytes: Buffer): void
}

/** As much as Node reads at once. */
const ownBytes = 65_536

/** After a read of fewer bytes that left the socket empty, the next one waits until there may be more. */
const smallReadBytes = 32_768
const pauseMs = 1

/** How the reader of each socket is set: it belongs to the socket, which the driver hands on as any stream. */
// biome-ignore lint/plugin: the state of each socket, in a WeakMap
const readers = new WeakMap<Duplex, (reader: SocketReader | null) => void>()

/**
 * A socket that reads into a reusable buffer, or into the memory of a reader, so that the kernel puts bytes where
 * they belong; Node allocates 64 KiB for every read and leaves them to the garbage collector. Listeners of the socket
 * get copies; a socket wrapped in TLS is read as usual. A reader whose bytes come in small pieces gets several at
 * once: Postgres before 17 sends 8 KiB at a time, and waking up for each costs both processes more than the bytes.
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
      if (buffer === own || count === buffer.length || count >= smallReadBytes) return true
      setTimeout(() => socket.resume(), pauseMs)
      return false
    },
  }
  const options: SocketConstructorOpts & { readonly onread: OnReadOpts } = { onread }
  const socket = new Socket(options)
  readers.set(socket, (next) => {
    reader = next
  })
  return socket
}

/** Sets the reader of such a socket, or removes it with `null`; absent for any other stream. */
export function readerOf(stream: Duplex): ((reader: SocketReader | null) => void) | undefined {
  return readers.get(stream)
}
