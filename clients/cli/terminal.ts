import type { Readable, Writable } from 'node:stream'
import { styleText } from 'node:util'
import { shortened } from '#engine/contract/findings.js'

/** What the program runs in: a terminal, a pipe, or a test. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}

/** Writes all of it, respecting backpressure. */
export function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => stream.write(text, (error) => (error ? reject(error) : resolve())))
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}

/**
 * Whether an output, stderr by default, supports colours: NO_COLOR takes precedence over FORCE_COLOR, that over
 * CLICOLOR_FORCE, and that over the terminal.
 */
export function hasColors(
  { env, stderr }: Pick<Terminal, 'env' | 'stderr'>,
  output: { readonly isTTY?: boolean } = stderr,
): boolean {
  if (isSet(env.NO_COLOR)) return false
  if (isSet(env.FORCE_COLOR)) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  if (isSet(env.CLICOLOR_FORCE) && env.CLICOLOR_FORCE !== '0') return true
  return output.isTTY === true && env.TERM !== 'dumb'
}

/** A colour or a weight of text. */
export type Style = Extract<Parameters<typeof styleText>[0], string>

/** The text in a style, where an output, stderr by default, supports that. */
export function styled(
  terminal: Pick<Terminal, 'env' | 'stderr'>,
  style: Style,
  text: string,
  output: { readonly isTTY?: boolean } = terminal.stderr,
): string {
  return hasColors(terminal, output) ? styleText(style, text, { validateStream: false }) : text
}

/** The cells of a line of standard output. */
export function widthOf({ stdout }: Pick<Terminal, 'stdout'>): number {
  return stdout.columns || 80
}

/** Removes terminal control characters from untrusted text. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ')
}

/** The beginning of a value, for one line. */
export function printableStart(text = ''): string {
  return printable(shortened(text, 200))
}

/** The same for text of several lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}

/** JSON that no terminal obeys: JSON.stringify escapes other control characters itself. */
export function jsonText(value: unknown): string {
  const escaped = (character: string): string => `\\u00${character.charCodeAt(0).toString(16)}`
  return `${JSON.stringify(value, null, 2)}\n`.replace(/[\u007f-\u009f]/g, escaped)
}

/** Asks on stderr and reads a line from stdin. */
export async function ask({ stdin, stderr, signal }: Terminal, question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: stdin, output: stderr })
  try {
    return (await lines.question(printableLines(question), { signal })).trim()
  } finally {
    lines.close()
  }
}
