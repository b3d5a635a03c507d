import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { lstat, rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/**
 * Whether the name is that of a device, pipe or socket, which takes bytes but must not be replaced. What another user has
 * put there, in a folder for all, would get what is for this one: a link or pipe counts only if it is one's own or the
 * system's.
 */
async function takesBytes(path: string): Promise<boolean> {
  const [named, found] = await Promise.all([lstat(path), stat(path)]).catch(() => [])
  if (named === undefined || found === undefined || found.isFile() || found.isDirectory()) return false
  return [0, process.getuid?.()].includes(named.uid)
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
