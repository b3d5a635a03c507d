import type { JWK } from 'jose'
import { type Configuration, Provider } from 'oidc-provider'
import { developmentAudience, isUserName, userClaims } from './development-user.js'
import { signingAlgorithm } from './signing-key.js'

/** What the development issuer is made of. */
export interface ProviderOptions {
  readonly issuer: string
  readonly key: JWK
  readonly cookieKey: string
  /** Where the web application that people sign in to is. */
  readonly publicBaseUrl: string
}

/**
 * An OpenID Connect provider that signs in anyone by name alone, for the public client `snipkeep` with PKCE. It keeps
 * sessions in memory: they end with it, while tokens already given stay good, because the key is kept.
 */
export function createProvider(options: ProviderOptions): Provider {
  const origin = new URL(options.publicBaseUrl).origin
  const configuration: Configuration = {
    clients: [
      {
        client_id: developmentAudience,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [`${options.publicBaseUrl}/auth/callback`],
        post_logout_redirect_uris: [`${options.publicBaseUrl}/`],
        id_token_signed_response_alg: signingAlgorithm,
      },
    ],
    responseTypes: ['code'],
    jwks: { keys: [options.key] },
    enabledJWA: { idTokenSigningAlgValues: [signingAlgorithm] },
    cookies: { keys: [options.cookieKey] },
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    // The gateway reads e-mail and name from the ID token, and never asks the userinfo endpoint.
    conformIdTokenClaims: false,
    // Whoever signs in at the dashboard keeps it in memory, and renews what it was given there.
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    clientBasedCORS: (_ctx, asking) => asking === origin,
    findAccount: (_ctx, name) =>
      isUserName(name) ? { accountId: name, claims: async () => ({ ...userClaims(name) }) } : undefined,
    ttl: {
      AccessToken: 3_600,
      IdToken: 43_200,
      Grant: 86_400,
      Session: 86_400,
      Interaction: 3_600,
      RefreshToken: 86_400,
    },
  }
  return new Provider(options.issuer, configuration)
}
