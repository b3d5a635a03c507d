import { z } from 'zod'
import { bytes, defineTool, plainText } from '../tool.js'

/** Percent-encoding. */
export const urlEncode = defineTool({
  name: 'url-encode',
  title: 'Encode for URLs',
  summary: 'Writes bytes that have a meaning in URLs, or none, as % and two digits.',
  input: bytes,
  output: plainText,
  options: z.strictObject({
    style: z.enum(['component', 'address', 'form']).default('component').meta({
      description:
        'What stays: letters, digits and -._~ (component), also the characters that divide an address (address), or letters, digits and *-._ with + for a space (form).',
    }),
  }),
  keeps: 'everything',
  examples: [
    { input: 'Füße & 100%', output: 'F%C3%BC%C3%9Fe%20%26%20100%25' },
    {
      input: 'https://a.example/ä?q=1',
      options: { style: 'address' },
      output: 'https://a.example/%C3%A4?q=1',
    },
    { input: "it's a+b", options: { style: 'form' }, output: 'it%27s+a%2Bb' },
  ],
  load: async () => (await import('./encode-url.js')).encodeUrl,
})
