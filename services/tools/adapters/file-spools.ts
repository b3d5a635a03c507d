import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noRoomForOutput } from '../domain/job-errors.js'
import type { Bytes, Spool, Spools } from '../ports.js'

/** What one spool keeps in memory; the rest goes to a file. */
const memoryBytesMax = 1_048_576
const pieceBytes = 262_144

/** A file without a name, which is gone with this process. */
async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `snipkeep-output-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

/** The room for all files together. */
interface Room {
  take(bytes: number): boolean
  give(bytes: number): void
}

class FileSpool implements Spool {
  private readonly room: Room
  private readonly kept: Uint8Array[] = []
  private keptBytes = 0
  private file: FileHandle | null = null
  private fileBytes = 0
  private isOver = false
  private failure: { readonly error: unknown } | null = null
  private wake = (): void => {}

  constructor(room: Room) {
    this.room = room
  }

  async write(chunk: Uint8Array): Promise<void> {
    if (this.file === null && this.keptBytes + chunk.length <= memoryBytesMax) {
      this.kept.push(chunk)
      this.keptBytes += chunk.length
    } else {
      if (!this.room.take(chunk.length)) throw noRoomForOutput()
      this.file ??= await openNameless()
      for (let at = 0; at < chunk.length; ) {
        const { bytesWritten } = await this.file.write(chunk, at, chunk.length - at, this.fileBytes + at)
        at += bytesWritten
      }
      this.fileBytes += chunk.length
    }
    this.wake()
  }

  end(error?: unknown): void {
    if (error !== undefined) this.failure = { error }
    this.isOver = true
    this.wake()
  }

  async *read(): Bytes {
    let at = 0
    for (;;) {
      const chunk = this.kept.shift()
      if (chunk !== undefined) {
        this.keptBytes -= chunk.length
        yield chunk
      } else if (this.file !== null && at < this.fileBytes) {
        const length = Math.min(pieceBytes, this.fileBytes - at)
        const { bytesRead, buffer } = await this.file.read(Buffer.allocUnsafe(length), 0, length, at)
        at += bytesRead
        yield buffer.subarray(0, bytesRead)
      } else if (this.isOver) break
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve
        })
    }
    if (this.failure !== null) throw this.failure.error
  }

  async close(): Promise<void> {
    const { file, fileBytes } = this
    this.file = null
    await file?.close()
    this.room.give(fileBytes)
    this.fileBytes = 0
  }
}

/**
 * Keeps the first of an output in memory and the rest in nameless files of the temporary folder.
 * @param bytesMax of all files together.
 */
export function fileSpools(bytesMax: number): Spools {
  let taken = 0
  const room: Room = {
    take(bytes) {
      if (taken + bytes > bytesMax) return false
      taken += bytes
      return true
    },
    give(bytes) {
      taken -= bytes
    },
  }
  return { open: () => new FileSpool(room) }
}
