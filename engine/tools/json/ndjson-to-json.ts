import { z } from 'zod'
import { defineTool, json, ndjson } from '../tool.js'
import { finalNewlineOption, indentOf, optionalIndentOption } from './layout-options.js'

/** Lines to an array. */
export const ndjsonToJson = defineTool({
  name: 'ndjson-to-json',
  title: 'NDJSON to JSON',
  summary: 'Makes one array of the values that are on lines of their own.',
  input: ndjson,
  output: json,
  options: z.strictObject({ indent: optionalIndentOption, final_newline: finalNewlineOption }),
  keeps: 'everything',
  examples: [
    { input: '{"id":1.0}\n\n[2, 3]\r\nnull', output: '[{"id":1.0},[2,3],null]\n' },
    { input: '1\n{"a":{}}\n', options: { indent: '2' }, output: '[\n  1,\n  {\n    "a": {}\n  }\n]\n' },
  ],
  load: async () => {
    const { rewriteJson } = await import('./rewrite-json.js')
    return (input, { indent, final_newline: finalNewline }) =>
      rewriteJson(input, { indent: indentOf(indent), finalNewline, fromLines: true })
  },
})
