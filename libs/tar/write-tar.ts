import { blockBytes } from './tar-format.js'

/** A file for an archive. Its content has exactly `sizeBytes` bytes. */
export interface TarFile {
  readonly path: string
  readonly sizeBytes: number
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** The largest size that eleven octal digits express. */
const sizeMax = 8 ** 11 - 1

/** The header of a regular file in the ustar format (POSIX.1-1988). */
function headerOf({ path, sizeBytes }: TarFile, modifiedAt: Date): Buffer {
  if (!/^[\x21-\x7e]{1,100}$/.test(path) || sizeBytes > sizeMax) throw new Error(`not for a tar: ${path}`)
  const header = Buffer.alloc(blockBytes)
  const put = (text: string, at: number): void => void header.write(text, at, 'latin1')
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`
  put(path, 0)
  put(octal(0o600, 7), 100)
  put(octal(0, 7), 108)
  put(octal(0, 7), 116)
  put(octal(sizeBytes, 11), 124)
  put(octal(Math.floor(modifiedAt.getTime() / 1_000), 11), 136)
  // The checksum is of the header with spaces in its own place.
  put(' '.repeat(8), 148)
  put('0', 156)
  put('ustar\x0000', 257)
  put(
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    )} `,
    148,
  )
  return header
}

/**
 * The bytes of an archive, as they are read.
 * @throws Error if a content has another size than its file says.
 */
export async function* writeTar(
  files: AsyncIterable<TarFile>,
  modifiedAt: Date,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const file of files) {
    yield headerOf(file, modifiedAt)
    let left = file.sizeBytes
    for await (const chunk of file.content) {
      left -= chunk.length
      if (left < 0) break
      yield chunk
    }
    if (left !== 0) throw new Error(`${file.path} does not have the announced size`)
    const padding = (blockBytes - (file.sizeBytes % blockBytes)) % blockBytes
    if (padding > 0) yield Buffer.alloc(padding)
  }
  yield Buffer.alloc(2 * blockBytes)
}
