import { z } from 'zod'
import { bytes, defineTool, plainText } from '../tool.js'

/** Digests. */
export const hash = defineTool({
  name: 'hash',
  title: 'Hash',
  summary: 'Computes the digest of any bytes: SHA-256 or another algorithm.',
  input: bytes,
  output: plainText,
  options: z.strictObject({
    algorithm: z
      .enum(['sha-256', 'sha-384', 'sha-512', 'sha3-256', 'sha3-512', 'sha-1', 'md5'])
      .default('sha-256')
      .meta({
        description: 'SHA-1 and MD5 only tell accidents apart: anyone can make two inputs that agree.',
      }),
    encoding: z
      .enum(['hex', 'base64', 'base64url'])
      .default('hex')
      .meta({ description: 'How the digest is written; base64 with padding, base64url without.' }),
  }),
  keeps: { allBut: ['the input, of which only the digest comes out'] },
  examples: [
    { input: 'abc', output: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' },
    {
      input: 'abc',
      options: { algorithm: 'sha-1', encoding: 'base64' },
      output: 'qZk+NkcGgWq6PiVxeFDCbJzQ2J0=',
    },
    { input: '', options: { algorithm: 'md5' }, output: 'd41d8cd98f00b204e9800998ecf8427e' },
  ],
  load: async () => (await import('./compute-hash.js')).computeHash,
})
