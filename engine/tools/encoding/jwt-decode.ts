import { z } from 'zod'
import { indentOf, optionalIndentOption } from '../json/layout-options.js'
import { defineTool, json, jwt } from '../tool.js'

/** The content of a token, unverified. */
export const jwtDecode = defineTool({
  name: 'jwt-decode',
  title: 'Decode a JWT',
  summary: 'Shows the header and the claims of a JSON Web Token. It does not verify the signature.',
  input: jwt,
  output: json,
  options: z.strictObject({
    indent: optionalIndentOption.default('2'),
    times: z.boolean().default(false).meta({
      description:
        'Whether iat, nbf, exp, auth_time and updated_at are also written as dates, as member times.',
    }),
  }),
  keeps: 'everything',
  examples: [
    {
      input: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEiLCJuIjoxMjM0NTY3ODkwMTIzNDU2Nzg5MC4wfQ.AAEC',
      options: { indent: 'none' },
      output:
        '{"header":{"alg":"HS256"},"claims":{"sub":"ada","n":12345678901234567890.0},"signature":"AAEC","signature_verified":false}',
    },
    {
      input: 'eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE3MDAwMDAwMDB9.AAEC',
      options: { times: true },
      output:
        '{\n  "header": {\n    "alg": "HS256"\n  },\n  "claims": {\n    "exp": 1700000000\n  },\n  "times": {\n    "exp": "2023-11-14 22:13:20 UTC"\n  },\n  "signature": "AAEC",\n  "signature_verified": false\n}\n',
    },
  ],
  load: async () => {
    const { decodeJwt } = await import('./decode-jwt.js')
    return (input, options) => {
      const indent = indentOf(options.indent)
      return decodeJwt(input, { times: options.times, layout: { indent, finalNewline: indent !== null } })
    }
  },
})
