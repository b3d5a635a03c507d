import type { Context } from './context.js'
import { CliError, exitCodes } from './exit-codes.js'
import { write } from './terminal.js'

/**
 * Reads a key or token from standard input, to keep it off the command line, which other users can see.
 * @throws CliError if there is none.
 */
export async function secretFrom({ terminal: { stdin, stderr } }: Context): Promise<string> {
  if (stdin.isTTY === true)
    await write(stderr, 'Paste an API key or an ID token, then press Enter and Ctrl-D:\n')
  let text = ''
  for await (const chunk of stdin) {
    text += String(chunk)
    if (text.length > 65_536) break
  }
  const secret = text.trim()
  if (/^[\x21-\x7e]+$/.test(secret)) return secret
  throw new CliError('Send one API key or ID token on standard input.', exitCodes.usage)
}
