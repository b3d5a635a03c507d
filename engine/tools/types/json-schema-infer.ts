import { z } from 'zod'
import { finalNewlineOption, indentOf, optionalIndentOption } from '../json/layout-options.js'
import { defineTool, json, jsonSchema } from '../tool.js'
import { enumsOption, samplesOption } from './sample-options.js'

/** A schema of samples. */
export const jsonSchemaInfer = defineTool({
  name: 'json-schema-infer',
  title: 'JSON to JSON Schema',
  summary:
    'Writes a JSON Schema (2020-12) that the input satisfies: types, formats, and what is always there.',
  input: json,
  output: jsonSchema,
  options: z.strictObject({
    samples: samplesOption,
    formats: z.boolean().default(true).meta({
      description:
        'Whether strings that are all dates, times, UUIDs, e-mail addresses, URIs or IPv4 addresses get that format.',
    }),
    enums: enumsOption,
    closed: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether objects may have no members that no sample has.' }),
    indent: optionalIndentOption.default('2'),
    final_newline: finalNewlineOption,
  }),
  keeps: { allBut: ['everything but keys and types'] },
  examples: [
    {
      input:
        '{"id":12345678901234567890,"price":1.50,"made":"2026-11-25T04:00:00Z","tags":["a",null],"next":null}',
      options: { indent: 'none', final_newline: false },
      output:
        '{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"id":{"type":"integer"},"price":{"type":"number"},"made":{"type":"string","format":"date-time"},"tags":{"type":"array","items":{"type":["string","null"]}},"next":{"type":"null"}},"required":["id","price","made","tags","next"]}',
    },
    {
      input:
        '{"level":"warn","n":1}\n{"level":"info","n":2.5}\n{"level":"warn"}\n{"level":"info","n":null}\n',
      options: { samples: 'lines', enums: true, closed: true, indent: 'none' },
      output:
        '{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"level":{"type":"string","enum":["warn","info"]},"n":{"type":["number","null"]}},"required":["level"],"additionalProperties":false}\n',
    },
  ],
  load: async () => {
    const { writeJsonSchema } = await import('./write-json-schema.js')
    return (input, { indent, final_newline: finalNewline, ...options }) =>
      writeJsonSchema(input, options, { indent: indentOf(indent), finalNewline })
  },
})
