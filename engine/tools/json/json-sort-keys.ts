import { z } from 'zod'
import { defineTool, json } from '../tool.js'
import {
  droppedCommentsOption,
  finalNewlineOption,
  indentOf,
  optionalIndentOption,
} from './layout-options.js'

/** Sorts the members of objects. */
export const jsonSortKeys = defineTool({
  name: 'json-sort-keys',
  title: 'Sort JSON keys',
  summary: 'Sorts the members of every object by key; arrays stay as they are.',
  input: json,
  output: json,
  options: z.strictObject({
    indent: optionalIndentOption.default('2'),
    final_newline: finalNewlineOption,
    comments: droppedCommentsOption,
    order: z.enum(['code-points', 'natural']).default('code-points').meta({
      description:
        'How keys are compared: by code points, or natural, with runs of digits as numbers: 9 before 10.',
    }),
  }),
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
    {
      input: '{"b":1,"10":1,"9":1,"a":2}',
      options: { indent: 'none', order: 'natural', final_newline: false },
      output: '{"9":1,"10":1,"a":2,"b":1}',
    },
  ],
  load: async () => {
    const { sortKeys } = await import('./sort-keys.js')
    return (input, { indent, final_newline: finalNewline, comments, order }) =>
      sortKeys(input, { indent: indentOf(indent), finalNewline }, { comments, order })
  },
})
