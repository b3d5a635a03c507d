import type { ToolDescription } from '../tool.js'
import { wholeText } from '../whole-input.js'

/** Runs a tool on a text, and says what it noted: `line:column message`. All notes come before the output. */
export async function runWithNotes(
  tool: ToolDescription,
  text: string,
  options?: Readonly<Record<string, unknown>>,
): Promise<{ readonly output: string; readonly notes: readonly string[] }> {
  async function* input(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(text)
  }
  const notes: string[] = []
  const run = await tool.load()
  const output = await wholeText(
    run(input(), options, ({ message, position }) =>
      notes.push(`${position === null ? '' : `${position.line}:${position.column} `}${message}`),
    ),
  )
  return { output, notes }
}
