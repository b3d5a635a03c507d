import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CommandOption, type OptionValues, textOption } from './command.js'
import type { Terminal } from './terminal.js'
import { terminalSafe } from './terminal-safe.js'
import { writeOutputFile } from './write-output-file.js'

/** The options of every command that writes content, which may be of a stranger. */
export const contentOptions: readonly CommandOption[] = [
  { flags: '-o, --output <file>', description: 'write to a file instead' },
  { flags: '--raw', description: 'print control characters to a terminal, too' },
]

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
