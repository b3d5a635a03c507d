import { z } from 'zod'
import { bytes, defineTool, plainText } from '../tool.js'

/** The bytes behind Base64. */
export const base64Decode = defineTool({
  name: 'base64-decode',
  title: 'Decode Base64',
  summary: 'Returns the bytes that Base64 stands for, and refuses what no encoder writes.',
  input: plainText,
  output: bytes,
  options: z.strictObject({
    alphabet: z.enum(['either', 'standard', 'url']).default('either').meta({
      description: 'Whether + and / (standard) or - and _ (url) are expected; either takes one of the two.',
    }),
  }),
  keeps: { allBut: ['white space'] },
  examples: [
    { input: 'YW55IGNhcm5hbCBw\nbGVhc3VyZS4=\n', output: 'any carnal pleasure.' },
    { input: 'w6k_Pg', options: { alphabet: 'url' }, output: 'é?>' },
  ],
  load: async () => (await import('./decode-base64.js')).decodeBase64,
})
