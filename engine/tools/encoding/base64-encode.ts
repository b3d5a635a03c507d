import { z } from 'zod'
import { bytes, defineTool, plainText } from '../tool.js'

/** Any bytes as Base64. */
export const base64Encode = defineTool({
  name: 'base64-encode',
  title: 'Encode as Base64',
  summary: 'Writes any bytes as Base64, in the standard alphabet or the one for URLs.',
  input: bytes,
  output: plainText,
  options: z.strictObject({
    alphabet: z.enum(['standard', 'url']).default('standard').meta({
      description: 'The last two characters of the alphabet: + and / (standard), or - and _ (url).',
    }),
    padding: z.boolean().default(true).meta({ description: 'Whether = fills up the last four characters.' }),
    line_length: z
      .enum(['none', '64', '76'])
      .default('none')
      .meta({ description: 'The characters on each line: 64 as in PEM, 76 as in mail, or all on one line.' }),
  }),
  keeps: 'everything',
  examples: [
    { input: 'any carnal pleasure.', output: 'YW55IGNhcm5hbCBwbGVhc3VyZS4=' },
    { input: 'é?>', options: { alphabet: 'url', padding: false }, output: 'w6k_Pg' },
  ],
  load: async () => (await import('./encode-base64.js')).encodeBase64,
})
