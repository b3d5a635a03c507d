import { z } from 'zod'
import { defineTool, json, plainText } from '../tool.js'

/** Makes JSON of what is nearly JSON. */
export const jsonRepair = defineTool({
  name: 'json-repair',
  title: 'Repair JSON',
  summary:
    'Makes JSON of text that is nearly JSON: missing quotes, commas and brackets, comments, Python words, cut ends.',
  input: plainText,
  output: json,
  options: z.strictObject({
    backslashes: z.enum(['refuse', 'double']).default('refuse').meta({
      description:
        'What happens to a text with a backslash that begins no escape, as in C:\\Users: refuse, or double all of its backslashes.',
    }),
    brackets: z.enum(['sure', 'guess']).default('sure').meta({
      description:
        'Which missing brackets are added: sure closes what the end or another bracket closes, guess may nest otherwise.',
    }),
  }),
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
    return (input, options, onNote) => repairJson(input, options, onNote)
  },
})
