import { z } from 'zod'
import { json } from '../formats.js'
import { defineTool } from '../tool.js'
import { finalNewlineOption, indentOf, optionalIndentOption } from './layout-options.js'

/** Sorts the members of objects. */
export const jsonSortKeys = defineTool({
  name: 'json-sort-keys',
  title: 'Sort JSON keys',
  summary: 'Sorts the members of every object by key; arrays stay as they are.',
  input: json,
  output: json,
  options: z.strictObject({ indent: optionalIndentOption.default('2'), final_newline: finalNewlineOption }),
  keeps: { allBut: ['the order of members'] },
  examples: [
    {
      input: '{"b":1.50,"a":{"z":[3,1],"\\u0061":true}}',
      output:
        '{\n  "a": {\n    "\\u0061": true,\n    "z": [\n      3,\n      1\n    ]\n  },\n  "b": 1.50\n}\n',
    },
    {
      input: '{"b":1,"a":2,"b":0}',
      options: { indent: 'none', final_newline: false },
      output: '{"a":2,"b":1,"b":0}',
    },
  ],
  load: async () => {
    const { sortKeys } = await import('./sort-keys.js')
    return (input, { indent, final_newline: finalNewline }) =>
      sortKeys(input, { indent: indentOf(indent), finalNewline })
  },
})
