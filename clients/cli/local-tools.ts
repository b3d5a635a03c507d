import { ZodError } from 'zod'
import { converters, findConverter } from '#engine/tools/converters.js'

import { findTool, tools } from '#engine/tools/registry.js'
import { boundedNotes, type OnToolNote, readOptions, type ToolDescription } from '#engine/tools/tool.js'
import { ToolInputError } from '#engine/tools/tool-input-error.js'
import type { ToolRunner } from '../mcp/run-tools.js'
import { SnipkeepError } from '../sdk/problem-error.js'

/** What a tool refuses, in the words of the API. */
function refusal({ name, options }: ToolDescription, error: unknown): unknown {
  if (error instanceof ZodError) {
    const wrong = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`.replace(/^: /, ''))
    const known = Object.keys(options.shape).join(', ')
    return new SnipkeepError(
      `${wrong.join('; ')}. ${name} has ${known === '' ? 'no options' : `the options ${known}`}.`,
    )
  }
  if (!(error instanceof ToolInputError)) return error
  const { code: reason, message: detail, position } = error
  return new SnipkeepError(JSON.stringify({ code: 'invalid_input', reason, detail, ...position }))
}

async function* output(
  tool: ToolDescription,
  content: string,
  options: Readonly<Record<string, unknown>>,
  onNote: OnToolNote,
): AsyncGenerator<Uint8Array> {
  async function* input(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(content)
  }
  try {
    const run = await tool.load()
    const texts = Object.entries(options).map(([name, value]) => [name, String(value)] as const)
    yield* run(input(), readOptions(tool, texts), boundedNotes(onNote))
  } catch (error) {
    throw refusal(tool, error)
  }
}

/** Runs tools in this process: nothing is sent anywhere. */
export const localTools: ToolRunner = {
  names: tools.map(({ name }) => name),
  ways: converters.map(({ from, to }) => `${from} ${to}`),
  toolFor: (from, to) => findConverter(from, to)?.name ?? null,
  async run(name, content, options) {
    const tool = findTool(name)
    if (tool === null) throw new SnipkeepError(`There is no tool ${name}.`)
    const notes: { readonly message: string; readonly line?: number; readonly column?: number }[] = []
    const onNote: OnToolNote = ({ message, position }) =>
      notes.push(position === null ? { message } : { message, line: position.line, column: position.column })
    return { body: output(tool, content, options, onNote), notes }
  },
}
