import type { ToolDescription } from '../tool.js'
import { wholeBytes } from '../whole-input.js'

/** Runs a tool on chunks, and returns all of its output. */
export async function runTool(
  tool: ToolDescription,
  chunks: readonly Uint8Array[],
  options?: Readonly<Record<string, unknown>>,
): Promise<Uint8Array> {
  const run = await tool.load()
  async function* input(): AsyncGenerator<Uint8Array> {
    yield* chunks
  }
  return wholeBytes(run(input(), options))
}

/** Runs a tool on a text. */
export async function runOnText(
  tool: ToolDescription,
  text: string,
  options?: Readonly<Record<string, unknown>>,
): Promise<string> {
  return new TextDecoder().decode(await runTool(tool, [new TextEncoder().encode(text)], options))
}
