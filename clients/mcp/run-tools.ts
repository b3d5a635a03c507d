import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { ToolOptions } from '../sdk/tools.js'
import { contentBytesMax, errorResult, jsonResult, readExcerpt, resultOf } from './results.js'
import { contentProblem } from './write-tools.js'

/** Runs the tools that format and convert: here, or on the server. */
export interface ToolRunner {
  readonly names: readonly string[]
  /** What can be converted, such as `json csv`. */
  readonly ways: readonly string[]
  /** The name of the tool that converts; `null` if none does. */
  toolFor(from: string, to: string): string | null
  /** @throws SnipkeepError, also from the body, for input or options that the tool does not take. */
  run(
    name: string,
    content: string,
    options: ToolOptions,
  ): Promise<{
    readonly body: AsyncIterable<Uint8Array>
    /** Complete once the body has begun. */
    readonly notes: readonly { readonly message: string; readonly line?: number; readonly column?: number }[]
  }>
}

const content = z.string().describe('The text itself, exactly.')
const options = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
  .optional()
const annotations = { readOnlyHint: true, openWorldHint: false, idempotentHint: true }

async function runTool(
  runner: ToolRunner,
  name: string,
  text: string,
  given: ToolOptions,
): Promise<CallToolResult> {
  const problem = contentProblem(text, `snipkeep tool ${name} FILE`)
  if (problem !== null) return errorResult(problem)
  const run = await runner.run(name, text, given)
  const excerpt = await readExcerpt(run, 0, contentBytesMax)
  const rest = `These are the first ${excerpt.nextOffset} bytes. For all, write the content to a file and run: snipkeep tool ${name} FILE`
  const isCut = excerpt.nextOffset !== null
  const about = jsonResult({
    tool: name,
    truncated: isCut,
    ...(isCut ? { rest } : {}),
    ...(run.notes.length > 0 ? { notes: run.notes } : {}),
  })
  return { content: [...about.content, { type: 'text', text: excerpt.text }] }
}

/** The tools that format and convert. */
export function registerRunTools(server: McpServer, runner: ToolRunner): void {
  server.registerTool(
    'convert',
    {
      title: 'Convert text',
      description: `Converts one format to another exactly: digits, escapes, order and repeated keys stay. Ways: ${runner.ways.join(', ')}. Bad input is refused with its line and column.`,
      inputSchema: z.object({
        from: z.string().max(20).describe('Such as json.'),
        to: z.string().max(20).describe('Such as csv.'),
        content,
        options: options.describe(
          'Options of the tool, such as {"nested": "dots"}. An error names those that exist.',
        ),
      }),
      annotations: { ...annotations, title: 'Convert text' },
    },
    ({ from, to, content: text, options: given = {} }) =>
      resultOf(async () => {
        const name = runner.toolFor(from, to)
        if (name !== null) return runTool(runner, name, text, given)
        return errorResult(`There is no way from ${from} to ${to}. There are: ${runner.ways.join(', ')}.`)
      }),
  )
  server.registerTool(
    'run_tool',
    {
      title: 'Format, check or query text',
      description:
        'Runs one of the tools on text, exactly: nothing changes but what the name of the tool says. For json-query, options has path: JSONPath or a JSON Pointer.',
      inputSchema: z.object({
        tool: z.enum(runner.names),
        content,
        options: options.describe('Such as {"indent": "4"}. An error names those that exist.'),
      }),
      annotations: { ...annotations, title: 'Format, check or query text' },
    },
    ({ tool, content: text, options: given = {} }) => resultOf(() => runTool(runner, tool, text, given)),
  )
}
