import { z } from 'zod'
import { defineTool, json } from '../tool.js'

/** Of the schema as an option; a longer one is part of the input. */
const schemaLengthMax = 65_536

/** Checks values by a schema. */
export const jsonSchemaValidate = defineTool({
  name: 'json-schema-validate',
  title: 'Validate JSON by a schema',
  summary:
    'Reports everything in JSON that a JSON Schema (2020-12) does not accept, with its line, column and JSON Pointer.',
  input: json,
  output: json,
  options: z.strictObject({
    schema: z.string().max(schemaLengthMax).default('').meta({
      description: 'The JSON Schema (2020-12). If it is left out, the input is {"schema": …, "data": …}.',
    }),
    errors_max: z
      .int()
      .min(1)
      .max(1_000)
      .default(1_000)
      .meta({ description: 'The number of errors to report at most.' }),
  }),
  keeps: { allBut: ['the document: the output is a report'] },
  examples: [
    {
      input: '{"id": 12345678901234567890, "price": 1.50}',
      options: { schema: '{"required": ["id"], "properties": {"price": {"multipleOf": 0.05}}}' },
      output: '{\n  "valid": true,\n  "errors": [],\n  "truncated": false\n}\n',
    },
    {
      input: '{"rows": [\n  {"id": 1},\n  {"id": "2"}\n]}',
      options: {
        schema: '{"properties": {"rows": {"items": {"properties": {"id": {"type": "integer"}}}}}}',
      },
      output:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "line": 3,\n      "column": 10,\n      "offset": 33,\n      "pointer": "/rows/1/id",\n      "schema": "/properties/rows/items/properties/id/type",\n      "message": "This is of type string, not integer."\n    }\n  ],\n  "truncated": false\n}\n',
    },
    {
      input: '{"schema": {"maxItems": 1}, "data": [1, 2]}',
      output:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "line": 1,\n      "column": 37,\n      "offset": 36,\n      "pointer": "/data",\n      "schema": "/schema/maxItems",\n      "message": "The array has 2 items, not at most 1."\n    }\n  ],\n  "truncated": false\n}\n',
    },
  ],
  load: async () => {
    const { validateBySchema } = await import('./validate-by-schema.js')
    return (input, { schema, errors_max: errorsMax }) => validateBySchema(input, schema, errorsMax)
  },
})
