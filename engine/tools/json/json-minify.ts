import { z } from 'zod'
import { defineTool, json } from '../tool.js'
import { commentsOption } from './layout-options.js'

/** Removes white space. */
export const jsonMinify = defineTool({
  name: 'json-minify',
  title: 'Minify JSON',
  summary: 'Removes all white space between the tokens of JSON.',
  input: json,
  output: json,
  options: z.strictObject({ comments: commentsOption }),
  keeps: { allBut: ['comments and trailing commas, if they are dropped'] },
  examples: [
    {
      input: '{ "id": 12345678901234567890,\n  "rate": 1.50 }',
      output: '{"id":12345678901234567890,"rate":1.50}',
    },
  ],
  load: async () => {
    const { rewriteJson } = await import('./rewrite-json.js')
    return (input, { comments }) => rewriteJson(input, { indent: null, comments })
  },
})
