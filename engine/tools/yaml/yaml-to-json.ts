import { z } from 'zod'
import { json, yaml } from '../formats.js'
import { finalNewlineOption, indentOf, optionalIndentOption } from '../json/layout-options.js'
import { defineTool } from '../tool.js'

/** YAML as the JSON that it means. */
export const yamlToJson = defineTool({
  name: 'yaml-to-json',
  title: 'YAML to JSON',
  summary:
    'Writes YAML 1.2 as JSON, with numbers as they are spelled and aliases replaced by what they stand for.',
  input: yaml,
  output: json,
  options: z.strictObject({
    indent: optionalIndentOption.default('2'),
    final_newline: finalNewlineOption,
    documents: z
      .enum(['one', 'array'])
      .default('one')
      .meta({ description: 'Whether the input is one document, or any number that become an array.' }),
    duplicate_keys: z
      .enum(['refuse', 'keep'])
      .default('refuse')
      .meta({ description: 'YAML forbids a key that a mapping has twice; keep writes both members.' }),
  }),
  keeps: {
    allBut: [
      'comments',
      'tags',
      'names of anchors',
      'styles of strings',
      'numbers that JSON spells otherwise',
    ],
  },
  examples: [
    {
      input: 'id: 12345678901234567890\nrate: 1.50\nmode: 0x1F\non: no\nbase: &b {a: [1]}\ncopy: *b\n',
      options: { indent: 'none', final_newline: false },
      output: '{"id":12345678901234567890,"rate":1.50,"mode":31,"on":"no","base":{"a":[1]},"copy":{"a":[1]}}',
    },
    { input: '--- a\n--- b\n', options: { documents: 'array' }, output: '[\n  "a",\n  "b"\n]\n' },
  ],
  load: async () => {
    const { yamlAsJson } = await import('./yaml-as-json.js')
    const { rewriteJson } = await import('../json/rewrite-json.js')
    return (input, { indent, final_newline: finalNewline, ...options }) =>
      rewriteJson(yamlAsJson(input, options), { indent: indentOf(indent), finalNewline })
  },
})
