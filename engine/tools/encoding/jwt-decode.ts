import { z } from 'zod'
import { json, jwt } from '../formats.js'
import { optionalIndentOption } from '../json/layout-options.js'
import { defineTool } from '../tool.js'

/** The content of a token, unverified. */
export const jwtDecode = defineTool({
  name: 'jwt-decode',
  title: 'Decode a JWT',
  summary: 'Shows the header and the claims of a JSON Web Token. It does not verify the signature.',
  input: jwt,
  output: json,
  options: z.strictObject({ indent: optionalIndentOption.default('2') }),
  keeps: 'everything',
  examples: [
    {
      input: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEiLCJuIjoxMjM0NTY3ODkwMTIzNDU2Nzg5MC4wfQ.AAEC',
      options: { indent: 'none' },
      output:
        '{"header":{"alg":"HS256"},"claims":{"sub":"ada","n":12345678901234567890.0},"signature":"AAEC","signature_verified":false}',
    },
  ],
  load: async () => (await import('./decode-jwt.js')).decodeJwt,
})
