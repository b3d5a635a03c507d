import type { Site } from './site.js'

/** How users sign in: OpenID Connect authorization code flow with PKCE, as a public client. */
export interface SignInSettings {
  readonly issuer: string
  readonly clientId: string
  /** The client ID of the command line, usually the same. */
  readonly cliClientId: string
  /** The requested scopes, separated by spaces. */
  readonly scopes: string
  /** Origins of the issuer's endpoints besides the issuer's own; scripts may connect to them. */
  readonly otherOrigins: readonly string[]
  /** Whether the issuer needs the ID token in the URL of a sign-out. */
  readonly logoutNeedsToken: boolean
}

/** The origins that the sign-in connects to. */
export function signInOrigins(settings: SignInSettings | null): readonly string[] {
  return settings === null ? [] : [new URL(settings.issuer).origin, ...settings.otherOrigins]
}

/** The body of `/config.json`, for the dashboard and the command line; the client calls its type `ServerConfig`. */
export function serverConfig(
  settings: SignInSettings | null,
  { publicBaseUrl, shareBaseUrl }: Pick<Site, 'publicBaseUrl' | 'shareBaseUrl'>,
): object {
  return {
    sign_in: settings && {
      issuer: settings.issuer,
      client_id: settings.clientId,
      cli_client_id: settings.cliClientId,
      scopes: settings.scopes,
      logout_needs_token: settings.logoutNeedsToken,
    },
    public_base_url: publicBaseUrl,
    share_base_url: shareBaseUrl,
  }
}
