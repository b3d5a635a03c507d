import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { encodingOf } from '#engine/encoding/encodings.js'
import { utf8Of } from '#engine/encoding/utf8-of.js'
import { ToolInputError } from '#engine/tools/tool-input-error.js'
import type { ReadableContent } from '../sdk/content.js'
import { CliError, exitCodes, usageError } from './exit-codes.js'
import { collectEarly } from './frugal-transfer.js'
import type { Terminal } from './terminal.js'

/** Content to upload. Every try reads it from the start. */
export interface ContentSource extends ReadableContent {
  /** The name of the file; `null` for standard input. */
  readonly name: string | null
  readonly size: number
  close(): Promise<void>
}

/** Longer standard input is buffered in a file instead of memory. */
const spoolBytes = 1024 * 1024

const chunkBytes = 64 * 1024

/** The bytes of a file in chunks. */
function streamOf(file: FileHandle, size: number): ReadableStream<Uint8Array> {
  const passed = collectEarly()
  let at = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(output) {
        if (at === size) return output.close()
        const buffer = Buffer.allocUnsafeSlow(Math.min(chunkBytes, size - at))
        const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
        if (bytesRead === 0) throw new CliError('The file became shorter while it was sent.')
        at += bytesRead
        passed(bytesRead)
        output.enqueue(buffer.subarray(0, bytesRead))
      },
    },
    { highWaterMark: 0 },
  )
}

function ofFile(file: FileHandle, name: string | null, size: number): ContentSource {
  return {
    name,
    size,
    open: () => streamOf(file, size),
    close: () => file.close(),
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path)
  } catch (error) {
    const reason =
      error instanceof Error && 'code' in error && error.code === 'ENOENT'
        ? 'There is no such file'
        : 'Cannot read the file'
    throw usageError(`${reason}: ${path}`, { cause: error })
  }
}

/** A temporary file, unlinked right away so that nothing can leave it behind. */
async function namelessFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `snipkeep-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Buffers a stream that can be read only once: in memory while it is small, then in a temporary file. */
async function spool(stream: Readable, name: string | null, signal: AbortSignal): Promise<ContentSource> {
  const stop = (): void => void stream.destroy(new CliError('Interrupted.', exitCodes.interrupted))
  signal.addEventListener('abort', stop, { once: true })
  let chunks: Buffer[] = []
  let size = 0
  let file: FileHandle | null = null
  const passed = collectEarly()
  try {
    for await (const piece of stream) {
      const chunk: Buffer = piece
      size += chunk.length
      passed(chunk.length)
      if (file === null) chunks.push(chunk)
      else await file.write(chunk)
      if (file === null && size > spoolBytes) {
        file = await namelessFile()
        await file.writev(chunks)
        chunks = []
      }
    }
  } catch (error) {
    await file?.close()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
  if (file !== null) return ofFile(file, name, size)
  const kept = chunks
  return {
    name,
    size,
    open: () => new Blob(kept).stream(),
    close: async () => undefined,
  }
}

/**
 * Opens a file, or standard input for `-` or nothing.
 * @throws CliError if it cannot be read, or if standard input is a terminal and `-` was not given.
 */
export async function openContent(path: string | undefined, terminal: Terminal): Promise<ContentSource> {
  if (path === undefined && terminal.stdin.isTTY === true)
    throw usageError('Name a file, or pipe something in. To type it yourself, say "-".')
  if (path === undefined || path === '-') return spool(terminal.stdin, null, terminal.signal)
  const file = await openFile(path)
  const stats = await file.stat()
  if (stats.isFile()) return ofFile(file, basename(path), stats.size)
  if (stats.isDirectory()) {
    await file.close()
    throw usageError(`This is a directory: ${path}`)
  }
  return spool(file.createReadStream(), basename(path), terminal.signal)
}

/**
 * Opens a file or standard input whose text is in this encoding, or in the one that its mark names; its content is the
 * text in UTF-8. Without an encoding, content is what it is.
 * @throws CliError if there is no such encoding, or the text is not in it.
 */
export async function openText(
  path: string | undefined,
  terminal: Terminal,
  encoding: string | undefined,
): Promise<ContentSource> {
  if (encoding === undefined) return openContent(path, terminal)
  const known = encoding === 'auto' ? encoding : encodingOf(encoding)
  if (known === null) throw usageError(`There is no encoding ${encoding}.`)
  const source = await openContent(path, terminal)
  try {
    const text = utf8Of(source.open(), { encoding: known, isXml: false })
    return await spool(Readable.from(text), source.name, terminal.signal)
  } catch (error) {
    if (!(error instanceof ToolInputError)) throw error
    const place = error.position === null ? '' : `:${error.position.line}:${error.position.column}`
    const message = `${path ?? '-'}${place}: ${error.message} [${error.code}]`
    throw usageError(message, { cause: error })
  } finally {
    await source.close()
  }
}
