import { z } from 'zod'
import { finalNewlineOption, indentOf, optionalIndentOption } from '../json/layout-options.js'
import { defineTool, json, yaml } from '../tool.js'

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
    merge: z.enum(['refuse', 'apply', 'keep']).default('refuse').meta({
      description:
        'What the key << is: apply merges the mappings that it names, as YAML 1.1 does; keep writes a member. Documents that begin with %YAML 1.1 are merged in any case, unless kept.',
    }),
    tags: z.enum(['refuse', 'json', 'keep']).default('refuse').meta({
      description:
        'Tags that JSON does not have: json writes what they stand for, such as {"Ref": …} for !Ref of CloudFormation, and the text of !!binary; keep writes {"!Ref": …} for any tag.',
    }),
  }),
  keeps: {
    allBut: [
      'comments',
      'tags that say what JSON says anyway, such as !!str',
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
    {
      input: 'base: &b {image: node, env: test}\njob:\n  <<: *b\n  image: deno\n',
      options: { indent: 'none', final_newline: false, merge: 'apply' },
      output: '{"base":{"image":"node","env":"test"},"job":{"env":"test","image":"deno"}}',
    },
    {
      input: 'Arn: !GetAtt Role.Arn\nName: !Sub data\n',
      options: { indent: 'none', final_newline: false, tags: 'json' },
      output: '{"Arn":{"Fn::GetAtt":["Role","Arn"]},"Name":{"Fn::Sub":"data"}}',
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
