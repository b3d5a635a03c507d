import { blockBytes, TarError } from './tar-format.js'

/** A regular file in an archive. */
export interface TarEntry {
  readonly path: string
  readonly sizeBytes: number
  /** The next bytes of its content; `null` at its end. */
  next(): Promise<Uint8Array | null>
}

/** Reads an archive front to back, in constant memory. */
export interface TarReader {
  /**
   * The next file, after the rest of the current one was skipped; `null` at the end of the archive.
   * @throws TarError
   */
  next(): Promise<TarEntry | null>
}

/** After the end marker, some programs pad with zeros. */
const trailingBytesMax = 1_048_576

function malformed(message: string): TarError {
  return new TarError('malformed', message)
}

function truncated(): TarError {
  return new TarError('truncated', 'The archive ends too early.')
}

/** A field up to its first NUL. */
function textAt(header: Buffer, at: number, length: number): string {
  const field = header.subarray(at, at + length)
  const end = field.indexOf(0)
  return field.toString('latin1', 0, end === -1 ? length : end)
}

/** Only octal digits: no base-256 numbers, signs or fractions. */
function numberAt(header: Buffer, at: number, length: number): number {
  const [, digits] = /^ *([0-7]+)[ \0]*$/.exec(header.toString('latin1', at, at + length)) ?? []
  if (digits === undefined) throw malformed('A number in the archive is not octal.')
  return Number.parseInt(digits, 8)
}

function checkSum(header: Buffer): void {
  let sum = 0
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 32 : byte
  if (sum !== numberAt(header, 148, 8)) throw malformed('A header of the archive has a wrong checksum.')
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}

/** @throws TarError for anything but a regular file with a short name. */
function headOf(header: Buffer): { path: string; sizeBytes: number } {
  checkSum(header)
  if (textAt(header, 257, 5) !== 'ustar') throw malformed('The archive is not in the ustar format.')
  const type = String.fromCharCode(header[156] ?? 0)
  const path = textAt(header, 0, 100)
  if ((type !== '0' && type !== '\0') || textAt(header, 157, 100) !== '') {
    throw malformed(
      'The archive has something other than regular files, such as a link or an extended header.',
    )
  }
  if (textAt(header, 345, 155) !== '' || !/^[\x21-\x7e]+$/.test(path))
    throw malformed('The archive has a file with an unusual name.')
  return { path, sizeBytes: numberAt(header, 124, 12) }
}

/**
 * Accepts what `writeTar` writes: regular files with short names. Refuses links, directories, devices, sparse files and
 * extended headers, so that nothing in an archive has a second meaning.
 * @param pull the next bytes of the archive; `null` at their end.
 */
export function readTar(pull: () => Promise<Uint8Array | null>): TarReader {
  let rest: Uint8Array = Buffer.alloc(0)
  /** Bytes of the current file and its padding that have not been read. */
  let left = 0
  let padding = 0
  let ended = false

  /** Up to `most` bytes; `null` at the end. */
  async function take(most: number): Promise<Uint8Array | null> {
    while (rest.length === 0) {
      const chunk = await pull()
      if (chunk === null) return null
      rest = chunk
    }
    const taken = rest.subarray(0, most)
    rest = rest.subarray(taken.length)
    return taken
  }

  async function block(): Promise<Buffer> {
    const bytes = Buffer.alloc(blockBytes)
    for (let filled = 0; filled < blockBytes; ) {
      const part = await take(blockBytes - filled)
      if (part === null) throw truncated()
      bytes.set(part, filled)
      filled += part.length
    }
    return bytes
  }

  async function content(): Promise<Uint8Array | null> {
    if (left === 0) return null
    const part = await take(left)
    if (part === null) throw truncated()
    left -= part.length
    return part
  }

  async function skip(): Promise<void> {
    while ((await content()) !== null);
    left = padding
    padding = 0
    for (let part = await content(); part !== null; part = await content())
      if (!isZero(part)) throw malformed('A file of the archive is not padded with zeros.')
  }

  async function finish(): Promise<void> {
    ended = true
    if (!isZero(await block())) throw malformed('The archive has an empty header.')
    let trailing = 0
    for (let part = await take(blockBytes); part !== null; part = await take(blockBytes)) {
      trailing += part.length
      if (!isZero(part) || trailing > trailingBytesMax) throw malformed('The archive goes on after its end.')
    }
  }

  return {
    async next() {
      if (ended) return null
      await skip()
      const header = await block()
      if (isZero(header)) {
        await finish()
        return null
      }
      const { path, sizeBytes } = headOf(header)
      left = sizeBytes
      padding = (blockBytes - (sizeBytes % blockBytes)) % blockBytes
      return { path, sizeBytes, next: content }
    },
  }
}
