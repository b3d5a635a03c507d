import { origin } from '#libs/config/origin.js'
import { type Environment, readVariables } from '#libs/config/read-variables.js'
import {
  choice,
  flag,
  httpUrl,
  integer,
  internal,
  list,
  optional,
  port,
  secret,
  siteUrl,
  text,
} from '#libs/config/variables.js'
import { transportProblems } from '#libs/grpc/grpc-variables.js'
import { redisVariables } from '#libs/redis/redis-variables.js'
import { peerConfig, peerVariables } from '#libs/service/peer-config.js'
import { ciIssuerProblems, ciIssuers } from '#shared/config/ci-issuers.js'
import { indexingVariable } from '#shared/config/indexing-variable.js'
import { cliClientVariable, trustedIssuers, withCliClient } from '#shared/config/issuer-variables.js'
import { everyoneIsPro, planCatalogue, planVariables } from '#shared/config/plan-variables.js'
import {
  allowInsecureAddress,
  allowInsecureIssuers,
  productionProblems,
} from '#shared/config/production-rules.js'
import { shareAddressProblems, shareAddressVariables } from '#shared/config/share-address.js'
import { toolsVariable } from '#shared/config/tools-variable.js'
import {
  operatorClaims,
  operatorVariables,
  requiredClaimPairs,
  requiredClaims,
} from './auth/required-claims.js'
import { secretPolicies } from './body/secret-policy.js'
import { newAccountPolicy, ratePolicies, rateVariables } from './rate-limits/policies.js'
import { proxyProblems } from './rate-limits/proxy-problems.js'

/** The variables of the gateway. */
export const variables = {
  ...peerVariables,
  HOST: text('The listening address of the gateway.', '127.0.0.1'),
  PORT: port('The port of the gateway.', 8080),
  PUBLIC_BASE_URL: optional(
    siteUrl('The public address of this installation, without a path. All links in responses start with it.'),
    '`http://localhost:$PORT`',
  ),
  ...allowInsecureAddress,
  ...shareAddressVariables,
  OIDC_ISSUERS: trustedIssuers(),
  ...cliClientVariable,
  ...allowInsecureIssuers,
  OIDC_REQUIRE_CLAIM: requiredClaimPairs(),
  ...operatorVariables,
  OPERATOR_IN_EVENTS: flag(
    'Whether the events of owners name the operator who disabled a share, suspended an account or gave a plan, by e-mail address. The audit log always does.',
    false,
  ),
  REPORT_DIGEST_KEY: secret(
    optional(
      text(
        'The server secret for the digests by which repeated reports of one client IP are recognized; addresses are never stored. 32 or more random characters, the same for all gateways.',
      ),
      'a random one for each gateway and start',
    ),
  ),
  CI_ISSUERS: ciIssuers(),
  INTERNAL_OIDC_STARTUP_WAIT_MS: internal(
    integer(
      'How long after startup the gateway stays not ready while an issuer does not respond, in milliseconds. After that it serves API keys, shares and pages, and identity tokens get 503 until the issuer responds.',
      { min: 0 },
      30_000,
    ),
  ),
  READYZ_DETAILS: flag(
    'Whether `/readyz` publicly names the services that are unreachable. If false, only the log names them.',
    true,
  ),
  INTERNAL_FAST_PATH: internal(
    flag(
      'Whether to serve common reads of small snippets and shares without Express. Without it, responses are the same but slower: a switch for diagnosis.',
      true,
    ),
  ),
  CONTENT_GRPC_TARGET: text('The gRPC address of content.', '127.0.0.1:50051'),
  IDENTITY_GRPC_TARGET: text('The gRPC address of identity.', '127.0.0.1:50052'),
  ACTIVITY_GRPC_TARGET: text('The gRPC address of activity.', '127.0.0.1:50053'),
  BILLING_GRPC_TARGET: text('The gRPC address of billing.', '127.0.0.1:50054'),
  TOOLS_GRPC_TARGET: text(
    'The gRPC address of the process that runs tools and comparisons.',
    '127.0.0.1:50055',
  ),
  BILLING_WEBHOOK_URL: httpUrl(
    'Where billing receives events of the payment provider.',
    'http://127.0.0.1:8091',
  ),
  WEB_URL: httpUrl('The address of the web application, which renders pages.', 'http://127.0.0.1:8090'),
  CORS_ORIGINS: list(
    'Comma-separated origins whose pages may use the API, exactly as browsers send them.',
    origin,
    [],
  ),
  INTERNAL_UPLOAD_BYTES_IN_FLIGHT_MAX: internal(
    integer(
      'Maximum bytes of request bodies that the gateway holds at once. Beyond it, uploads get 503. An import of a long list takes up to 38 MiB of it.',
      { min: 1_048_576 },
      67_108_864,
    ),
  ),
  COMPARE_BYTES_MAX: integer(
    'Maximum bytes of both documents of `POST /api/compare` together. A comparison takes up to twenty times as much memory in the process `tools`.',
    { min: 65_536, max: 52_428_800 },
    10_485_760,
  ),
  SHARE_SECRETS: choice(
    'What happens when a new share seems to contain a secret, such as a private key or a token: `warn` publishes it with `warnings` in the response, `refuse` requires `allow_secrets` for what is certain to be one, `off` does not look.',
    secretPolicies,
    'warn',
  ),
  ...toolsVariable,
  ...indexingVariable,
  CONNECTIONS_MAX: integer(
    'Maximum client connections of the gateway. Beyond it, a new connection replaces an idle one, or is refused if none is idle.',
    { min: 1 },
    2_000,
  ),
  CONNECTIONS_PER_CLIENT_MAX: integer(
    'Maximum connections per client IP (IPv6: per /64); 0 for no limit. Trusted proxies and loopback are exempt.',
    { min: 0 },
    100,
  ),
  ...redisVariables,
  ...rateVariables,
  ...planVariables,
}

/** @throws ConfigError that names every problem at once. */
export function readConfig(env: Environment) {
  const values = readVariables(variables, env, (parsed) => [
    ...(parsed.OIDC_ISSUERS.length === 0 ? ['OIDC_ISSUERS must name at least one issuer.'] : []),
    ...(parsed.NODE_ENV === 'production' && parsed.PUBLIC_BASE_URL === null
      ? ['PUBLIC_BASE_URL must be set in production.']
      : []),
    ...productionProblems(parsed),
    ...ciIssuerProblems(parsed.CI_ISSUERS),
    ...(parsed.REPORT_DIGEST_KEY !== null && parsed.REPORT_DIGEST_KEY.length < 32
      ? ['REPORT_DIGEST_KEY must have at least 32 characters.']
      : []),
    ...proxyProblems(parsed),
    ...shareAddressProblems(parsed),
    ...transportProblems(parsed, {
      CONTENT_GRPC_TARGET: parsed.CONTENT_GRPC_TARGET,
      IDENTITY_GRPC_TARGET: parsed.IDENTITY_GRPC_TARGET,
      ACTIVITY_GRPC_TARGET: parsed.ACTIVITY_GRPC_TARGET,
      BILLING_GRPC_TARGET: parsed.BILLING_GRPC_TARGET,
      ...(parsed.TOOLS === 'on' ? { TOOLS_GRPC_TARGET: parsed.TOOLS_GRPC_TARGET } : {}),
    }),
  ])
  const publicBaseUrl = values.PUBLIC_BASE_URL ?? `http://localhost:${values.PORT}`
  return {
    ...peerConfig(values),
    host: values.HOST,
    port: values.PORT,
    publicBaseUrl,
    /** The address of share pages, which may have a host of their own. */
    shareBaseUrl: values.SHARE_BASE_URL ?? publicBaseUrl,
    issuers: withCliClient(values.OIDC_ISSUERS, values.OIDC_CLI_CLIENT_ID),
    /** The command line's client at the first issuer; `null` if it is the dashboard's. */
    cliClientId: values.OIDC_CLI_CLIENT_ID,
    /** The claims that tokens of all issuers must have. */
    requiredClaims: requiredClaims(values.OIDC_REQUIRE_CLAIM),
    /** The claims of which a token of an operator has one. */
    operatorClaims: operatorClaims(values.OPERATOR_CLAIM),
    operatorAccounts: values.OPERATOR_ACCOUNTS,
    /** Whether owners see who the operator was. */
    operatorInEvents: values.OPERATOR_IN_EVENTS,
    /** The key for digests of reporters' addresses; `null` for a random one. */
    reportDigestKey: values.REPORT_DIGEST_KEY,
    /** Whose CI jobs trusted publishers may name. */
    ciIssuers: values.CI_ISSUERS,
    issuersWaitMs: values.INTERNAL_OIDC_STARTUP_WAIT_MS,
    readyzDetails: values.READYZ_DETAILS,
    /** Whether plain reads take the fast path. */
    fastPath: values.INTERNAL_FAST_PATH,
    targets: {
      content: values.CONTENT_GRPC_TARGET,
      identity: values.IDENTITY_GRPC_TARGET,
      activity: values.ACTIVITY_GRPC_TARGET,
      billing: values.BILLING_GRPC_TARGET,
      tools: values.TOOLS_GRPC_TARGET,
    },
    webUrl: values.WEB_URL,
    webhookUrl: values.BILLING_WEBHOOK_URL,
    corsOrigins: values.CORS_ORIGINS,
    uploadBytesInFlightMax: values.INTERNAL_UPLOAD_BYTES_IN_FLIGHT_MAX,
    compareBytesMax: values.COMPARE_BYTES_MAX,
    shareSecrets: values.SHARE_SECRETS,
    tools: values.TOOLS === 'on',
    /** Whether search engines may index the API reference. */
    indexing: values.INDEXING === 'on',
    connections: { max: values.CONNECTIONS_MAX, perClientMax: values.CONNECTIONS_PER_CLIENT_MAX },
    plans: planCatalogue(values),
    everyoneIsPro: everyoneIsPro(values),
    /** `null` for none. */
    redisUrl: values.REDIS_URL,
    ratePolicies: ratePolicies(values),
    /** The limit of new accounts from one address; `null` for none. */
    newAccounts: newAccountPolicy(values),
    /** How much may be searched by pointer; `null` for no limit. */
    pointerRate: values.INTERNAL_RATE_LIMIT_POINTER_BYTES,
    rateScope: values.RATE_LIMIT_SCOPE,
    /** Networks in CIDR notation whose `X-Forwarded-For` is trusted. */
    trustedProxies: values.TRUSTED_PROXIES,
    /** The number of trusted proxies, instead of their networks; `null` if not set. */
    trustedHops: values.TRUSTED_HOPS,
  }
}

export type GatewayConfig = Readonly<ReturnType<typeof readConfig>>
