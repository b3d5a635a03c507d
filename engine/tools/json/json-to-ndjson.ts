import { z } from 'zod'
import { defineTool, json, ndjson } from '../tool.js'

/** An array to lines. */
export const jsonToNdjson = defineTool({
  name: 'json-to-ndjson',
  title: 'JSON to NDJSON',
  summary: 'Puts each item of an array on a line of its own.',
  input: json,
  output: ndjson,
  options: z.strictObject({}),
  keeps: 'everything',
  examples: [{ input: '[\n  {"id": 1.0},\n  [2, 3],\n  null\n]', output: '{"id":1.0}\n[2,3]\nnull\n' }],
  load: async () => {
    const { rewriteJson } = await import('./rewrite-json.js')
    return (input) => rewriteJson(input, { indent: null, toLines: true })
  },
})
