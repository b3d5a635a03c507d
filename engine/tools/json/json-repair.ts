import { z } from 'zod'
import { json, plainText } from '../formats.js'
import { defineTool } from '../tool.js'

/** Makes JSON of what is nearly JSON. */
export const jsonRepair = defineTool({
  name: 'json-repair',
  title: 'Repair JSON',
  summary:
    'Makes JSON of text that is nearly JSON: missing quotes, commas and brackets, comments, Python words, cut ends.',
  input: plainText,
  output: json,
  options: z.strictObject({}),
  keeps: { allBut: ['what is not JSON; valid JSON comes out as it is'] },
  examples: [
    {
      input: '{"id": 12345678901234567890, "rate": 1.50}',
      output: '{"id": 12345678901234567890, "rate": 1.50}',
    },
    {
      input: "{id: 12345678901234567890, 'rate': 1.50, ok: True, list: [1, 2,",
      output: '{"id": 12345678901234567890, "rate": 1.50, "ok": true, "list": [1, 2]}',
    },
  ],
  load: async () => {
    const { repairJson } = await import('./repair-json.js')
    return (input) => repairJson(input)
  },
})
