import { z } from 'zod'
import { defineTool, json } from '../tool.js'

/** Reports mistakes. */
export const jsonValidate = defineTool({
  name: 'json-validate',
  title: 'Validate JSON',
  summary: 'Reports every mistake in JSON (RFC 8259) with its line, column and JSON Pointer.',
  input: json,
  output: json,
  options: z.strictObject({
    comments: z.enum(['refuse', 'allow']).default('refuse').meta({
      description: 'Whether comments and commas after the last item or member (JSONC) are mistakes.',
    }),
    warn: z.boolean().default(false).meta({
      description: 'Whether the report has warnings, too: keys that an object has more than once.',
    }),
    errors_max: z
      .int()
      .min(1)
      .max(1_000)
      .default(1_000)
      .meta({ description: 'The number of mistakes, and of warnings, to report at most.' }),
  }),
  keeps: { allBut: ['the document: the output is a report'] },
  examples: [
    {
      input: '{"a": 1, "a": 2}',
      options: { warn: true },
      output:
        '{\n  "valid": true,\n  "errors": [],\n  "truncated": false,\n  "warnings": [\n    {\n      "line": 1,\n      "column": 10,\n      "offset": 9,\n      "pointer": "/a",\n      "message": "The object has this key already; most programs take only one of its values."\n    }\n  ]\n}\n',
    },
    { input: '{"a": [1.50]}', output: '{\n  "valid": true,\n  "errors": [],\n  "truncated": false\n}\n' },
    {
      input: '{\n  "a": [1, 02],\n  b: 3,\n}',
      output:
        '{\n  "valid": false,\n  "errors": [\n' +
        '    {\n      "line": 2,\n      "column": 13,\n      "offset": 14,\n      "pointer": "/a/1",\n      "message": "A number cannot continue with 2."\n    },\n' +
        '    {\n      "line": 3,\n      "column": 3,\n      "offset": 20,\n      "pointer": "",\n      "message": "Expected a key in double quotes, found b."\n    },\n' +
        '    {\n      "line": 4,\n      "column": 1,\n      "offset": 26,\n      "pointer": "",\n      "message": "Expected a key in double quotes, found }."\n    }\n' +
        '  ],\n  "truncated": false\n}\n',
    },
  ],
  load: async () => {
    const { validateJson } = await import('./validate-json.js')
    return (input, { errors_max: errorsMax, comments, warn }) =>
      validateJson(input, errorsMax, { hasComments: comments === 'allow', warns: warn })
  },
})
