import { z } from 'zod'
import { defineTool, json } from '../tool.js'
import { commentsOption, finalNewlineOption, indentOf, indentOption } from './layout-options.js'

/** Indents. */
export const jsonFormat = defineTool({
  name: 'json-format',
  title: 'Format JSON',
  summary: 'Puts each member and item on a line of its own, indented.',
  input: json,
  output: json,
  options: z.strictObject({
    indent: indentOption,
    final_newline: finalNewlineOption,
    comments: commentsOption,
  }),
  keeps: { allBut: ['comments and trailing commas, if they are dropped'] },
  examples: [
    {
      input: '{"id":12345678901234567890,"rates":[1.50,2e3],"none":{}}',
      output: '{\n  "id": 12345678901234567890,\n  "rates": [\n    1.50,\n    2e3\n  ],\n  "none": {}\n}\n',
    },
    {
      input: '{"a":1,"a":"\\u00e9"}',
      options: { indent: 'tab', final_newline: false },
      output: '{\n\t"a": 1,\n\t"a": "\\u00e9"\n}',
    },
    {
      input: '// settings\n{"tabs": 2, // spaces\n"rules": [1, 2,]}',
      options: { comments: 'keep' },
      output: '// settings\n{\n  "tabs": 2, // spaces\n  "rules": [\n    1,\n    2,\n  ]\n}\n',
    },
  ],
  load: async () => {
    const { rewriteJson } = await import('./rewrite-json.js')
    return (input, { indent, final_newline: finalNewline, comments }) =>
      rewriteJson(input, { indent: indentOf(indent), finalNewline, comments })
  },
})
