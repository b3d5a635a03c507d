import { origin } from '#libs/config/origin.js'
import { type Environment, readVariables } from '#libs/config/read-variables.js'
import { flag, list, optional, port, siteUrl, text, type Variable } from '#libs/config/variables.js'
import { transportProblems } from '#libs/grpc/grpc-variables.js'
import { peerConfig, peerVariables } from '#libs/service/peer-config.js'
import { indexingVariable } from '#shared/config/indexing-variable.js'
import { cliClientVariable, trustedIssuers } from '#shared/config/issuer-variables.js'
import {
  allowInsecureAddress,
  allowInsecureIssuers,
  productionProblems,
} from '#shared/config/production-rules.js'
import { shareAddressProblems, shareAddressVariables } from '#shared/config/share-address.js'
import { toolsVariable } from '#shared/config/tools-variable.js'
import { abuseAddress, contactAddress, siteAt } from './site.js'

function address(parse: (raw: string) => string, description: string): Variable<string> {
  const inner = text(description)
  return { ...inner, parse: (raw) => parse(inner.parse(raw)) }
}

export const variables = {
  ...peerVariables,
  WEB_HOST: text('The listening address of the web application.', '127.0.0.1'),
  WEB_PORT: port('The port of the web application.', 8090),
  CONTENT_GRPC_TARGET: text('The gRPC address of content.', '127.0.0.1:50051'),
  PUBLIC_BASE_URL: siteUrl(
    'The public address of this installation. Share pages link to its landing page.',
    'http://localhost:8080',
  ),
  ...allowInsecureAddress,
  ...shareAddressVariables,
  ABUSE_URL: optional(
    address(
      abuseAddress,
      'Where people report a share: an `https:` or `mailto:` address that share pages link to. `{share}` is replaced by the URL of the share; a mail gets it automatically.',
    ),
    'a form on this installation, whose reports operators see',
  ),
  SECURITY_CONTACT: optional(
    address(
      contactAddress,
      'Where people report vulnerabilities of this installation: an `https:` or `mailto:` address, published at `/.well-known/security.txt` (RFC 9116).',
    ),
    'none, and no such file',
  ),
  ...indexingVariable,
  OIDC_ISSUERS: trustedIssuers([]),
  ...cliClientVariable,
  ...allowInsecureIssuers,
  ...toolsVariable,
  WEB_OIDC_SCOPES: text(
    'Space-separated scopes that the dashboard requests. Many issuers only renew sign-ins with `offline_access`.',
    'openid email profile',
  ),
  WEB_OIDC_ORIGINS: list(
    'Comma-separated origins of issuer endpoints on other hosts, such as `https://oauth2.googleapis.com`. The dashboard may call these, too.',
    origin,
    [],
  ),
  WEB_OIDC_LOGOUT_HINT: flag(
    'Whether the sign-out URL contains the ID token (`id_token_hint`), for issuers that require it. The token is a credential until it expires, and URLs end up in logs and histories.',
    false,
  ),
}

/**
 * Reads the web application's configuration from the environment.
 * @throws ConfigError that lists every problem.
 */
export function readConfig(env: Environment) {
  const values = readVariables(variables, env, (parsed) => [
    ...productionProblems(parsed),
    ...shareAddressProblems(parsed),
    ...transportProblems(parsed, { CONTENT_GRPC_TARGET: parsed.CONTENT_GRPC_TARGET }),
  ])
  const { PUBLIC_BASE_URL: publicBaseUrl, SHARE_BASE_URL: shareBaseUrl } = values
  const [issuer] = values.OIDC_ISSUERS
  return {
    ...peerConfig(values),
    host: values.WEB_HOST,
    port: values.WEB_PORT,
    contentTarget: values.CONTENT_GRPC_TARGET,
    site: siteAt(publicBaseUrl, shareBaseUrl ?? publicBaseUrl, {
      abuseUrl: values.ABUSE_URL,
      tools: values.TOOLS === 'on',
      indexing: values.INDEXING === 'on',
      securityContact: values.SECURITY_CONTACT,
    }),
    /** `null` if no issuer is configured, and so nobody can sign in. */
    signIn:
      issuer === undefined
        ? null
        : {
            issuer: issuer.issuer,
            clientId: issuer.audience,
            cliClientId: values.OIDC_CLI_CLIENT_ID ?? issuer.audience,
            scopes: values.WEB_OIDC_SCOPES,
            otherOrigins: values.WEB_OIDC_ORIGINS,
            logoutNeedsToken: values.WEB_OIDC_LOGOUT_HINT,
          },
  }
}

/** The web application's configuration. */
export type WebConfig = Readonly<ReturnType<typeof readConfig>>
