import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CommandOptions, type OptionValues, textOption } from './command.js'
import { CliError } from './exit-codes.js'
import type { Terminal } from './terminal.js'
import { writeOutputFile } from './write-output-file.js'

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
