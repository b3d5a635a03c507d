import { list, optional, text, type Variable } from '#libs/config/variables.js'

/** A trusted issuer, and the audience that its tokens must name: the client that they are issued for. */
export interface TrustedIssuer {
  readonly issuer: string
  readonly audience: string
}

function trustedIssuer(item: string): TrustedIssuer {
  const split = item.lastIndexOf('=')
  const issuer = item.slice(0, split)
  const audience = item.slice(split + 1)
  if (split === -1 || audience === '' || !URL.canParse(issuer) || !/^https?:/.test(issuer)) {
    throw new Error('a comma-separated list of issuer=audience, where the issuer is an http or https URL')
  }
  return { issuer, audience }
}

/** The issuers whose tokens the gateway accepts; the web application signs people in at the first of them. */
export function trustedIssuers(fallback?: readonly TrustedIssuer[]): Variable<readonly TrustedIssuer[]> {
  return list(
    'The trusted OpenID Connect issuers, as a comma-separated list of `issuer=audience`. The dashboard signs people in at the first one, with its audience as the client ID.',
    trustedIssuer,
    fallback,
  )
}

/** The client of the command line, if it differs from the dashboard's. */
export const cliClientVariable = {
  OIDC_CLI_CLIENT_ID: optional(
    text(
      "The client ID that the command line signs in with at the first issuer, if it has one of its own, such as one that may sign in by code. Set it on gateway and web alike: the gateway then accepts this client's ID tokens, too.",
    ),
    "the dashboard's",
  ),
}

/** The issuers, including the first one's tokens for the command line's own client. */
export function withCliClient(
  issuers: readonly TrustedIssuer[],
  cliClientId: string | null,
): readonly TrustedIssuer[] {
  const [first] = issuers
  if (first === undefined || cliClientId === null) return issuers
  return [...issuers, { issuer: first.issuer, audience: cliClientId }]
}
