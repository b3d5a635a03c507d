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

/** The body of `/config.json`, for the dashboard and the command line. */
export interface DashboardConfig {
  /** `null` when sign-in is not configured. */
  readonly sign_in: {
    readonly issuer: string
    readonly client_id: string
    readonly cli_client_id: string
    readonly scopes: string
    readonly logout_needs_token: boolean
  } | null
  /** The address of this installation: the command line signs in at no other. */
  readonly public_base_url: string
  /** What links to shares begin with. */
  readonly share_base_url: string
}

export function dashboardConfig(
  settings: SignInSettings | null,
  { publicBaseUrl, shareBaseUrl }: Pick<Site, 'publicBaseUrl' | 'shareBaseUrl'>,
): DashboardConfig {
  const addresses = { public_base_url: publicBaseUrl, share_base_url: shareBaseUrl }
  if (settings === null) return { sign_in: null, ...addresses }
  const { issuer, clientId, cliClientId, scopes, logoutNeedsToken } = settings
  return {
    sign_in: {
      issuer,
      client_id: clientId,
      cli_client_id: cliClientId,
      scopes,
      logout_needs_token: logoutNeedsToken,
    },
    ...addresses,
  }
}
