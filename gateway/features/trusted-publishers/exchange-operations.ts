import { z } from 'zod'
import type { Operation } from '../../http/operation.js'
import { type ExchangeDependencies, exchangeHandlers } from './exchange-handlers.js'
import * as schemas from './trusted-publisher-schemas.js'

/** The operations by which CI jobs get and revoke access tokens. */
export function exchangeOperations(dependencies: ExchangeDependencies): readonly Operation[] {
  const handlers = exchangeHandlers(dependencies)
  const group = 'Trusted publishers'
  const problem = { description: 'An error of RFC 6749.', schema: schemas.oauthProblem }
  return [
    {
      method: 'post',
      path: '/api/oauth/token',
      anyParameter: true,
      operationId: 'exchangeToken',
      group,
      access: 'public',
      rate: 'exchanges',
      summary: "Exchange a CI job's ID token for an access token",
      description:
        'OAuth 2.0 Token Exchange (RFC 8693). The audience of the ID token must be the address of this installation. Each ID token can be exchanged once, within an hour of its issue. Every refusal is `invalid_grant`; the owner of the trusted publisher sees the reason in its events.',
      form: schemas.exchangeForm,
      curl: [
        `-d grant_type=${schemas.grantType}`,
        `-d subject_token_type=${schemas.idTokenTypes[0]}`,
        '-d "subject_token=$ID_TOKEN"',
        '-d "trusted_publisher=$ID"',
      ],
      responses: { 200: { description: 'The access token.', schema: schemas.exchangedToken }, 400: problem },
      refusals: [413, 415, 503, 504],
      handle: handlers.exchange,
    },
    {
      method: 'post',
      path: '/api/oauth/revoke',
      anyParameter: true,
      operationId: 'revokeToken',
      group,
      access: 'public',
      summary: 'End an access token',
      description: 'OAuth 2.0 Token Revocation (RFC 7009). Succeeds whatever the token is.',
      form: schemas.revokeForm,
      curl: ['-d "token=$TOKEN"'],
      responses: {
        200: { description: 'Done.', schema: z.object({}).meta({ id: 'Revoked' }) },
        400: problem,
      },
      refusals: [413, 415, 503, 504],
      handle: handlers.revoke,
    },
  ]
}
