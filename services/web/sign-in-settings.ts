/** How people sign in: by the code flow of OpenID Connect with PKCE, as a public client. */
export interface SignInSettings {
  readonly issuer: string
  readonly clientId: string
  /** The client of the command line, mostly the same. */
  readonly cliClientId: string
  /** The scopes that are requested, separated by spaces. */
  readonly scopes: string
  /** The origins of endpoints that the issuer has elsewhere, which scripts may ask besides its own. */
  readonly otherOrigins: readonly string[]
  /** Whether the issuer signs no one out without the ID token in the URL. */
  readonly logoutNeedsToken: boolean
}

/** The origins that signing in needs. */
export function signInOrigins(settings: SignInSettings | null): readonly string[] {
  return settings === null ? [] : [new URL(settings.issuer).origin, ...settings.otherOrigins]
}

/** What `/config.json` tells the dashboard and the command line. */
export interface DashboardConfig {
  /** `null` where no one can sign in. */
  readonly sign_in: {
    readonly issuer: string
    readonly client_id: string
    readonly cli_client_id: string
    readonly scopes: string
    readonly logout_needs_token: boolean
  } | null
}

/** These settings as they are read at run time. */
export function dashboardConfig(settings: SignInSettings | null): DashboardConfig {
  if (settings === null) return { sign_in: null }
  const { issuer, clientId, cliClientId, scopes, logoutNeedsToken } = settings
  return {
    sign_in: {
      issuer,
      client_id: clientId,
      cli_client_id: cliClientId,
      scopes,
      logout_needs_token: logoutNeedsToken,
    },
  }
}
