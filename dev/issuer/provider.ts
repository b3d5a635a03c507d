import type { JWK } from 'jose'
import { type Configuration, interactionPolicy, Provider } from 'oidc-provider'
import { developmentAudience, isUserName, userClaims } from './development-user.js'
import { signInPath } from './issuer-listener.js'
import { codePage, confirmCodePage, noticePage, pageHeaders, signOutPage } from './issuer-page.js'
import { signingAlgorithm } from './signing-key.js'

export interface ProviderOptions {
  readonly issuer: string
  readonly key: JWK
  readonly cookieKey: string
  /** The address of the web application. */
  readonly publicBaseUrl: string
}

/** Asks only for sign-in, never for consent. */
function onlySignIn(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base()
  policy.get('consent')?.checks.clear()
  return policy
}

/** Creates a session's grant on first use, with everything granted. */
const grantAll: NonNullable<Configuration['loadExistingGrant']> = async ({ oidc }) => {
  const { client, session, provider } = oidc
  if (client === undefined || session?.accountId === undefined) return undefined
  const id = session.grantIdFor(client.clientId)
  const found = id === undefined ? undefined : await provider.Grant.find(id)
  if (found !== undefined) return found
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope('openid email profile offline_access')
  await grant.save()
  return grant
}

type Features = NonNullable<Configuration['features']>

/** Sign-in with a device code (RFC 8628), on our own pages. */
function deviceFlow(origin: string): NonNullable<Features['deviceFlow']> {
  const headers = pageHeaders(origin)
  return {
    enabled: true,
    userCodeInputSource(ctx, _form, _out, error) {
      const secret: unknown = ctx.oidc.session?.state?.secret
      const refused =
        error === undefined ? null : 'This code is wrong, used or too old. Start again in the terminal.'
      ctx.status = refused === null ? 200 : 400
      ctx.set(headers)
      ctx.body = codePage(ctx.oidc.urlFor('code_verification'), String(secret), refused)
    },
    userCodeConfirmSource(ctx, form, client, _device, code) {
      ctx.set(headers)
      ctx.body = confirmCodePage(form, client.clientId, code)
    },
    successSource(ctx) {
      ctx.set(headers)
      ctx.body = noticePage('Signed in', 'You are signed in. Go back to your terminal.', origin)
    },
  }
}

/** Replaces pages of the library, whose styles come from another host. */
function pages(origin: string): Pick<Configuration, 'renderError'> & {
  readonly rpInitiatedLogout: NonNullable<Features['rpInitiatedLogout']>
} {
  const headers = pageHeaders(origin)
  return {
    renderError(ctx, { error, error_description: description }) {
      ctx.set(headers)
      ctx.body = noticePage('Sign-in failed', `${description ?? ''} (${error})`.trim(), origin)
    },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource(ctx, form) {
        ctx.set(headers)
        ctx.body = signOutPage(form)
      },
      postLogoutSuccessSource(ctx) {
        ctx.set(headers)
        ctx.body = noticePage('Signed out', 'You are signed out of the development issuer.', origin)
      },
    },
  }
}

/**
 * An OpenID Connect provider that signs in anyone by name alone, for the public client `snipkeep` with PKCE. Sessions
 * are in memory and end with the process; issued tokens stay valid, because the signing key is kept.
 */
export function createProvider(options: ProviderOptions): Provider {
  const origin = new URL(options.publicBaseUrl).origin
  const { rpInitiatedLogout, renderError } = pages(origin)
  const configuration: Configuration = {
    clients: [
      {
        client_id: developmentAudience,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        response_types: ['code'],
        redirect_uris: [`${options.publicBaseUrl}/auth/callback`, `${options.publicBaseUrl}/cli/callback`],
        post_logout_redirect_uris: [`${options.publicBaseUrl}/`],
        id_token_signed_response_alg: signingAlgorithm,
        require_auth_time: true,
      },
    ],
    responseTypes: ['code'],
    features: { devInteractions: { enabled: false }, rpInitiatedLogout, deviceFlow: deviceFlow(origin) },
    interactions: { policy: onlySignIn(), url: (_ctx, { uid }) => signInPath(uid) },
    loadExistingGrant: grantAll,
    renderError,
    jwks: { keys: [options.key] },
    enabledJWA: { idTokenSigningAlgValues: [signingAlgorithm] },
    cookies: { keys: [options.cookieKey] },
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    // The gateway reads e-mail and name from the ID token, and never calls the userinfo endpoint.
    conformIdTokenClaims: false,
    // The dashboard keeps it in memory to renew its tokens.
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
      DeviceCode: 600,
    },
  }
  return new Provider(options.issuer, configuration)
}
