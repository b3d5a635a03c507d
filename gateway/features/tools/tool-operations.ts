import { z } from 'zod'
import { tools } from '#engine/tools/registry.js'
import type { Format, ToolDescription } from '#engine/tools/tool.js'
import type { Operation } from '../../http/operation.js'
import { sendJsonText } from '../../http/responses.js'
import * as schemas from '../schemas.js'
import { replayed } from '../shared-descriptions.js'
import { createdShare } from '../shares/share-operations.js'
import { snippetPut, snippetWritten } from '../snippets/snippet-operations.js'
import { type Keepers, runTool, type ToolDependencies } from './tool-handlers.js'
import { toolQuery } from './tool-query.js'

const format = z.object({
  media_type: z.string().meta({ example: 'application/json' }),
  extension: z.string().meta({ description: 'The file extension, without the dot.', example: 'json' }),
})

const toolEntry = z
  .object({
    name: z.string().meta({ example: 'json-format' }),
    title: z.string(),
    summary: z.string(),
    input: format,
    output: format,
    options: z.record(z.string(), z.unknown()).describe('A JSON Schema of the options.'),
    changes: z
      .array(z.string())
      .describe('What the tool may change besides white space between tokens; empty if nothing.'),
    examples: z.array(
      z.object({ input: z.string(), options: z.record(z.string(), z.unknown()), output: z.string() }),
    ),
  })
  .meta({ id: 'Tool' })

const toolList = z.object({ tools: z.array(toolEntry) }).meta({ id: 'ToolList' })

const formatEntry = ({ mediaType, extension }: Format) => ({ media_type: mediaType, extension })

function entryOf(tool: ToolDescription): z.infer<typeof toolEntry> {
  const { name, title, summary, input, output, options, keeps, examples } = tool
  return {
    name,
    title,
    summary,
    input: formatEntry(input),
    output: formatEntry(output),
    options: z.toJSONSchema(options, { io: 'input' }),
    changes: keeps === 'everything' ? [] : [...keeps.allBut],
    examples: examples.map((example) => ({ ...example, options: { ...example.options } })),
  }
}

/** What a run may respond with. */
const outputs = Object.fromEntries(
  ['application/octet-stream', 'text/plain', ...tools.map(({ output }) => output.mediaType)].map((type) => [
    type,
    null,
  ]),
)

const notes = {
  'Snipkeep-Notes':
    'What the tool has to say about its output, such as a statement that it left as it was: a JSON array, in ASCII, of up to 20 objects with `message` and, where there is a place, `line` and `column`. It has up to 2 KiB; if there may be more notes, the last one says so.',
}

const names = tools.map(({ name }) => `\`${name}\``).join(', ')

/** `GET /api/tools` and `POST /api/tools/{name}`. */
export function toolOperations(dependencies: ToolDependencies, keepers: Keepers): readonly Operation[] {
  const group = 'Tools'
  const list = JSON.stringify({ tools: tools.map(entryOf) })
  return [
    {
      method: 'get',
      path: '/api/tools',
      operationId: 'listTools',
      group,
      access: 'public',
      anyOrigin: true,
      summary: 'List the tools',
      description: 'Each tool with a JSON Schema of its options, and examples.',
      responses: { 200: { description: 'Every tool with its options.', schema: toolList } },
      refusals: [],
      handle: async ({ response }) =>
        sendJsonText(response, 200, list, { 'Cache-Control': 'public, max-age=300' }),
    },
    {
      method: 'post',
      path: '/api/tools/{name}',
      operationId: 'runTool',
      group,
      access: 'account',
      scope: 'read',
      rate: 'creates',
      summary: 'Run a tool, and optionally save or share its output',
      description: `The body is the raw input, with any \`Content-Type\`; the query holds the tool's options. Tools: ${names}. Input and output are streamed. Bad input gets 400 \`invalid_input\` with \`line\`, \`column\`, \`offset\` and, where it is known, \`pointer\`; if more than 1 MiB of output has already been sent, the connection is closed instead. A run may compute for 15 s (5 s for up to 256 KiB of input), and its output may have eight times the bytes of the input, at least 8 MB; beyond that it gets 413 \`tool_too_large\`. The command line has no such limit: \`snipkeep tool NAME FILE\`.`,
      query: toolQuery,
      curl: ['-T data.json'],
      anyParameter: true,
      requestHeaders: {
        'Idempotency-Key': 'With `save=true` or `share=true`: makes the request safe to retry for 24 hours.',
      },
      responses: {
        200: {
          description: "The output in the tool's format; with `save=@name`, the replaced snippet.",
          content: outputs,
          headers: { ...notes, ETag: 'With `save=@name`: the strong ETag of the snippet.' },
        },
        201: {
          description: 'With `save` or `share`: the new snippet or share, without `data`.',
          schema: z.union([snippetPut, snippetWritten, createdShare]),
          content: schemas.urlAlone,
          headers: {
            ...notes,
            ETag: 'Strong ETag of the snippet or share.',
            Location: 'Its URL.',
            ...replayed,
          },
        },
      },
      refusals: [400, 403, 404, 408, 409, 413, 415],
      handle: runTool(dependencies, keepers),
    },
  ]
}
