import { CliError } from './exit-codes.js'

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
