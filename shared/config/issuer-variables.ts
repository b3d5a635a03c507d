import { list, type Variable } from '#libs/config/variables.js'

/** An issuer that is trusted, and the audience that its tokens must name, which is the client that they are made for. */
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

/** The issuers whose tokens the gateway takes; the web application signs people in at the first of them. */
export function trustedIssuers(fallback?: readonly TrustedIssuer[]): Variable<readonly TrustedIssuer[]> {
  return list(
    'The trusted OpenID Connect issuers, as a comma-separated list of `issuer=audience`. The dashboard signs people in at the first one, with its audience as the client ID.',
    trustedIssuer,
    fallback,
  )
}
