import type { ToolDescription, ToolRun } from '../tool.js'
import { wholeBytes } from '../whole-input.js'

/** Runs a loaded tool on chunks, and returns all of its output. */
export function runLoaded(
  run: ToolRun,
  chunks: readonly Uint8Array[],
  options?: Readonly<Record<string, unknown>>,
): Promise<Uint8Array> {
  async function* input(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield chunk
  }
  return wholeBytes(run(input(), options))
}

/** Runs a tool on chunks, and returns all of its output. */
export async function runTool(
  tool: ToolDescription,
  chunks: readonly Uint8Array[],
  options?: Readonly<Record<string, unknown>>,
): Promise<Uint8Array> {
  return runLoaded(await tool.load(), chunks, options)
}

/** Runs a tool on a text. */
export async function runOnText(
  tool: ToolDescription,
  text: string,
  options?: Readonly<Record<string, unknown>>,
): Promise<string> {
  return new TextDecoder().decode(await runTool(tool, [new TextEncoder().encode(text)], options))
}
