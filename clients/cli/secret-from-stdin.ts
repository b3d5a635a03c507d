import type { Context } from './context.js'
import { usageError } from './exit-codes.js'
import { write } from './terminal.js'

async function readSecret({ terminal: { stdin, stderr } }: Context, request: string): Promise<string> {
  if (stdin.isTTY === true) await write(stderr, `${request}, then press Enter and Ctrl-D:\n`)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stdin) {
    chunks.push(Buffer.from(chunk))
    length += chunk.length
    if (length > 65_536) break
  }
  return Buffer.concat(chunks).toString('utf8').trim()
}

/**
 * Reads the password of a share in the same way, without the white space around it.
 * @throws CliError if there is none.
 */
export async function passwordFrom(context: Context): Promise<string> {
  const password = await readSecret(context, 'Type the password of the share')
  if (password !== '' && !/[\r\n]/.test(password)) return password
  throw usageError('Send the password of the share, one line, on standard input.')
}

/**
 * Reads a key or token from standard input, to keep it off the command line, which other users can see.
 * @throws CliError if there is none.
 */
export async function secretFrom(context: Context): Promise<string> {
  const secret = await readSecret(context, 'Paste an API key or an ID token')
  if (/^[\x21-\x7e]+$/.test(secret)) return secret
  throw usageError('Send one API key or ID token on standard input.')
}
