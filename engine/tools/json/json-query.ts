import { z } from 'zod'
import { defineTool, json } from '../tool.js'
import {
  droppedCommentsOption,
  finalNewlineOption,
  indentOf,
  optionalIndentOption,
} from './layout-options.js'

const store = '{"books":[{"title":"A","price":8.90},{"title":"B","price":12.00}],"id":12345678901234567890}'

/** Finds values by their path. */
export const jsonQuery = defineTool({
  name: 'json-query',
  title: 'Query JSON',
  summary: 'Finds values by a JSON Pointer (RFC 6901) or a JSONPath (RFC 9535).',
  input: json,
  output: json,
  options: z.strictObject({
    path: z.string().max(4_096).default('$').meta({
      description:
        'A JSON Pointer, such as /items/0/name, for one value, or a JSONPath, such as $.items[?@.price < 10].name, for an array of all that it finds.',
    }),
    result: z
      .enum(['values', 'paths'])
      .default('values')
      .meta({ description: 'Whether a JSONPath gives the values, or the normalized path of each.' }),
    indent: optionalIndentOption.default('2'),
    final_newline: finalNewlineOption,
    comments: droppedCommentsOption,
  }),
  keeps: { allBut: ['what is not found'] },
  examples: [
    { input: store, options: { path: '/id' }, output: '12345678901234567890\n' },
    {
      input: store,
      options: { path: '$.books[?@.price < 10].price', indent: 'none' },
      output: '[8.90]\n',
    },
    {
      input: store,
      options: { path: '$..title', result: 'paths' },
      output: `[\n  "$['books'][0]['title']",\n  "$['books'][1]['title']"\n]\n`,
    },
  ],
  load: async () => {
    const { queryJson } = await import('./query-json.js')
    return (input, { path, result, indent, final_newline: finalNewline, comments }) =>
      queryJson(input, { path, result, comments }, { indent: indentOf(indent), finalNewline })
  },
})
