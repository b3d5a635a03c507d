import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** Whether the name is that of a device, pipe or socket, which takes bytes but must not be replaced. */
async function takesBytes(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found !== null && !found.isFile() && !found.isDirectory()
}

/**
 * Writes a file that appears under its name once it is complete, for its owner alone. Meanwhile the bytes are in a file
 * beside it whose name nobody can guess, so nothing that is there already is followed or written over. A device such as
 * `/dev/null`, or a pipe, gets the bytes itself.
 * @param name the final name, found when the bytes are there.
 */
export async function writeOutputFile(
  bytes: AsyncIterable<Uint8Array>,
  beside: string,
  name: () => Promise<string>,
  signal: AbortSignal,
): Promise<string> {
  if (await takesBytes(beside)) {
    await pipeline(bytes, createWriteStream(beside), { signal })
    return beside
  }
  const part = `${beside}.${randomUUID()}.part`
  try {
    await pipeline(bytes, createWriteStream(part, { flags: 'wx', mode: 0o600 }), { signal })
    const to = await name()
    await rename(part, to)
    return to
  } finally {
    await rm(part, { force: true })
  }
}
