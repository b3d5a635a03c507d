import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableContent } from './content.js'

/**
 * A file as content: streamed, and opened again for each retry.
 * @throws what `fs.stat` throws, such as `ENOENT`.
 */
export async function fromFile(path: string): Promise<ReadableContent> {
  const { size } = await stat(path)
  return {
    size,
    open: () =>
      Readable.toWeb(
        createReadStream(path, size === 0 ? {} : { end: size - 1 }),
      ) as ReadableStream<Uint8Array>,
  }
}
