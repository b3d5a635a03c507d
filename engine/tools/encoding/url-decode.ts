import { z } from 'zod'
import { bytes, defineTool, plainText } from '../tool.js'

/** The bytes behind percent-encoding. */
export const urlDecode = defineTool({
  name: 'url-decode',
  title: 'Decode from URLs',
  summary: 'Returns the bytes that % and two digits stand for.',
  input: plainText,
  output: bytes,
  options: z.strictObject({
    plus_is_space: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether + stands for a space, as in forms.' }),
  }),
  keeps: 'everything',
  examples: [
    { input: 'F%C3%BC%c3%9fe%20%26+100%25', output: 'Füße &+100%' },
    { input: 'a+b%2Bc', options: { plus_is_space: true }, output: 'a b+c' },
  ],
  load: async () => (await import('./decode-url.js')).decodeUrl,
})
