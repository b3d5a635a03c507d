import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { lstat, rename, rm, stat } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CommandOptions, type OptionValues, textOption } from './command.js'
import { CliError } from './exit-codes.js'
import type { Terminal } from './terminal.js'

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

/** The options of every command that writes content, which may be of a stranger. */
export const contentOptions: CommandOptions = {
  '-o, --output <file>': 'write to a file instead',
  '--raw': 'print control characters to a terminal, too',
}

async function* asBytes(chunks: AsyncIterable<Uint8Array> | string): AsyncGenerator<Uint8Array> {
  if (typeof chunks === 'string') yield new TextEncoder().encode(chunks)
  else yield* chunks
}

/**
 * Writes content byte for byte to the file of `--output`, or to standard output, which stays open for what comes after it.
 * @throws CliError if that is a terminal which the content would control, unless `--raw` says so.
 */
export async function writeContent(
  { stdout, signal }: Pick<Terminal, 'stdout' | 'signal'>,
  content: AsyncIterable<Uint8Array> | string,
  options: OptionValues,
): Promise<void> {
  const chunks = asBytes(content)
  const to = textOption(options, 'output')
  if (to !== undefined) {
    await writeOutputFile(chunks, to, async () => to, signal)
    return
  }
  const shown = stdout.isTTY === true && options.raw !== true ? terminalSafe(chunks) : chunks
  const open = new Writable({ write: (chunk, _encoding, done) => void stdout.write(chunk, done) })
  await pipeline(shown, open, { signal })
}

/** Control characters of C0 without tab, line feed and carriage return, and DEL. */
const isControl = (byte: number): boolean =>
  byte === 0x7f || (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d)

/**
 * The same chunks, as long as a terminal shows them and obeys nothing in them.
 * @throws CliError at the first chunk with a control character (also of C1, in UTF-8), none of which is passed on.
 */
export async function* terminalSafe(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let before = 0
  for await (const chunk of chunks) {
    for (const byte of chunk) {
      if (isControl(byte) || (before === 0xc2 && byte >= 0x80 && byte <= 0x9f))
        throw new CliError(
          'This has characters that control a terminal. Write it to a file with -o FILE, or print it as it is with --raw.',
        )
      before = byte
    }
    yield chunk
  }
}
