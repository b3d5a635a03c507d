import { z } from 'zod'
import { defineTool, json, yaml } from '../tool.js'

/** JSON in the block style of YAML. */
export const jsonToYaml = defineTool({
  name: 'json-to-yaml',
  title: 'JSON to YAML',
  summary:
    'Writes JSON as YAML 1.2, with numbers as they are spelled and strings that look like others in quotes.',
  input: json,
  output: yaml,
  options: z.strictObject({
    indent: z.enum(['2', '4', '8']).default('2').meta({ description: 'The spaces of each level.' }),
    duplicate_keys: z
      .enum(['refuse', 'keep'])
      .default('refuse')
      .meta({ description: 'YAML forbids a key that an object has twice; keep writes it all the same.' }),
    multiline: z
      .enum(['blocks', 'quotes'])
      .default('blocks')
      .meta({ description: 'Whether strings of several lines are written as blocks of lines or in quotes.' }),
  }),
  keeps: { allBut: ['which characters of a string are written as escapes'] },
  examples: [
    {
      input: '{"id":12345678901234567890,"rate":1.50,"on":"no","zip":"01234","text":"a\\nb\\n","none":[]}',
      output: 'id: 12345678901234567890\nrate: 1.50\n"on": "no"\nzip: "01234"\ntext: |\n  a\n  b\nnone: []\n',
    },
    { input: '[{"a":1,"b":[true]},null]', output: '- a: 1\n  b:\n    - true\n- null\n' },
  ],
  load: async () => (await import('./write-yaml.js')).writeYaml,
})
