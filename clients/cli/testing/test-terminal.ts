import { PassThrough, Readable } from 'node:stream'
import type { Terminal } from '../terminal.js'

/** A terminal, or pipes, with what was written to them. */
export interface TestTerminal {
  readonly terminal: Terminal
  out(): string
  err(): string
}

/** @param input what is typed, or sent to standard input. */
export function testTerminal(
  isTTY: boolean,
  {
    input = '',
    env = {},
    signal = new AbortController().signal,
    columns,
  }: {
    readonly input?: string
    readonly env?: Readonly<Record<string, string>>
    readonly signal?: AbortSignal
    /** The width of the terminal. */
    readonly columns?: number
  } = {},
): TestTerminal {
  const output = () => {
    let text = ''
    const stream = new PassThrough().on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    return {
      stream: Object.assign(stream, { isTTY, ...(columns === undefined ? {} : { columns }) }),
      text: () => text,
    }
  }
  const [stdout, stderr] = [output(), output()]
  return {
    terminal: {
      stdin: Object.assign(Readable.from(input === '' ? [] : [Buffer.from(input)]), { isTTY }),
      stdout: stdout.stream,
      stderr: stderr.stream,
      env: { HOME: '/nonexistent', ...env },
      version: '0.0.0',
      signal,
    },
    out: stdout.text,
    err: stderr.text,
  }
}
