import { z } from 'zod'
import { defineTool, yaml } from '../tool.js'

/** Indents. */
export const yamlFormat = defineTool({
  name: 'yaml-format',
  title: 'Format YAML',
  summary:
    'Indents YAML 1.2 evenly, with comments, anchors, order of keys and spelling of scalars as they are.',
  input: yaml,
  output: yaml,
  options: z.strictObject({
    indent: z.enum(['2', '4', '8']).default('2').meta({ description: 'The spaces of each level.' }),
    indent_sequences: z.boolean().default(true).meta({
      description: 'Whether the dashes of a sequence are indented further than its key.',
    }),
    line_width: z.int().min(20).max(1_000).default(80).meta({
      description:
        'Collections in braces or brackets are written on one line up to this many characters, and longer ones an item per line.',
    }),
  }),
  keeps: 'everything',
  examples: [
    {
      input:
        '# who\nname:   Ada   # Countess\nbase: &b\n    rate:  1.50\n    ids: [1,2,\n      0x1F]\n\n\ncopy: {<<: *b,on: no}\nlist:\n- "a"\n-   b: >-\n       folded\n       text\n',
      output:
        '# who\nname: Ada # Countess\nbase: &b\n  rate: 1.50\n  ids: [1, 2, 0x1F]\n\ncopy: { <<: *b, on: no }\nlist:\n  - "a"\n  - b: >-\n      folded\n      text\n',
    },
    {
      input: '{"a":[1,2,3],"b":{"c":"some longer text"}}',
      options: { line_width: 20, indent: '4' },
      output: '{\n    "a": [1, 2, 3],\n    "b": {\n        "c": "some longer text"\n    }\n}\n',
    },
    {
      input: 'list:\n    - a\n    -   - b\n',
      options: { indent_sequences: false },
      output: 'list:\n- a\n- - b\n',
    },
  ],
  load: async () => {
    const { formatYaml } = await import('./format-yaml.js')
    return (input, { indent, indent_sequences: indentsSequences, line_width: lineWidth }) =>
      formatYaml(input, { indent: Number(indent), indentsSequences, lineWidth })
  },
})
