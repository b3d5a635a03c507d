import { resolve } from 'node:path'
import { type Environment, readVariables } from '#libs/config/read-variables.js'
import { httpUrl, optional, port, secret, siteUrl, text, type Values } from '#libs/config/variables.js'
import { processVariables } from '#libs/runtime/process-variables.js'
import { telemetryConfig, telemetryVariables } from '#libs/telemetry/telemetry-variables.js'
import { planVariables } from '#shared/config/plan-variables.js'
import {
  allowInsecureAddress,
  allowInsecureIssuers,
  productionProblems,
} from '#shared/config/production-rules.js'
import { toolsVariable } from '#shared/config/tools-variable.js'

/** The launcher's variables; all others are passed to the processes unchanged. */
export const variables = {
  ...processVariables,
  ...telemetryVariables,
  HOST: text('The listening address of the gateway.', '127.0.0.1'),
  PORT: port('The port of the gateway; 0 picks a free one.', 8080),
  DATA_DIR: text(
    'Folder for the embedded Postgres, generated development secrets and logs. `cache/` (compiled code) and `migrated` may be deleted and need no backup.',
    '.data',
  ),
  PUBLIC_BASE_URL: optional(
    siteUrl('The public address of this installation, without a path. All links in responses start with it.'),
    '`http://localhost:$PORT`',
  ),
  OIDC_ISSUERS: optional(
    text('The trusted OpenID Connect issuers, as a comma-separated list of `issuer=audience`.'),
    'the development issuer',
  ),
  ...allowInsecureIssuers,
  ...allowInsecureAddress,
  DEV_ISSUER_PORT: optional(
    port('The port of the development issuer; 0 picks a free one.'),
    '`$PORT` + 1, or a free one',
  ),
  DEV_ISSUER_URL: optional(
    httpUrl('The address of the development issuer, for processes and browsers alike.'),
    '`http://localhost:$DEV_ISSUER_PORT`',
  ),
  DATABASE_URL: optional(
    secret(text('The Postgres database, as a `postgres://` URL.')),
    'the embedded Postgres',
  ),
  API_KEY_PEPPER: optional(secret(text('The server secret for hashing API keys.')), 'a generated one'),
  PAYMENT_PROVIDER: planVariables.PAYMENT_PROVIDER,
  ...toolsVariable,
  SANDBOX_PORT: optional(
    port('The port of the payment sandbox; 0 picks a free one.'),
    '`$PORT` + 2, or a free one',
  ),
}

type LauncherValues = Values<typeof variables>

/** The settings that production must provide, because the launcher's defaults are for development. */
function refuseDevelopmentParts(values: LauncherValues): readonly string[] {
  if (values.NODE_ENV !== 'production') return []
  const problems: string[] = []
  if (values.DATABASE_URL === null)
    problems.push('DATABASE_URL must be set in production: the embedded Postgres is a development part.')
  if (values.OIDC_ISSUERS === null)
    problems.push(
      'OIDC_ISSUERS must be set in production: the development issuer lets anyone sign in as anyone.',
    )
  if (values.API_KEY_PEPPER === null)
    problems.push('API_KEY_PEPPER must be set in production: the generated one is a development secret.')
  if (values.PUBLIC_BASE_URL === null) problems.push('PUBLIC_BASE_URL must be set in production.')
  return problems
}

/** The issuers in a list; the processes validate it. */
function namedIssuers(issuers: string | null): readonly { readonly issuer: string }[] {
  const items = issuers?.split(',').map((item) => item.trim().replace(/=[^=]*$/, '')) ?? []
  return items.filter((item) => URL.canParse(item)).map((issuer) => ({ issuer }))
}

/** The ports that someone named for people to open must be different. */
function portProblems(values: LauncherValues): readonly string[] {
  const named = [
    { name: 'PORT', port: values.PORT },
    ...(values.OIDC_ISSUERS === null ? [{ name: 'DEV_ISSUER_PORT', port: values.DEV_ISSUER_PORT }] : []),
    ...(values.PAYMENT_PROVIDER === 'sandbox' ? [{ name: 'SANDBOX_PORT', port: values.SANDBOX_PORT }] : []),
  ].filter(({ port }) => port !== null && port !== 0)
  return named.flatMap(({ name, port }, index) => {
    const same = named.slice(0, index).find((earlier) => earlier.port === port)
    return same === undefined ? [] : [`${name} must differ from ${same.name}.`]
  })
}

/**
 * A relative DATA_DIR is relative to the working directory.
 * @throws ConfigError that names every problem at once.
 */
export function readConfig(env: Environment) {
  const values = readVariables(variables, env, (parsed) => [
    ...refuseDevelopmentParts(parsed),
    ...productionProblems({ ...parsed, OIDC_ISSUERS: namedIssuers(parsed.OIDC_ISSUERS) }),
    ...portProblems(parsed),
  ])
  return {
    host: values.HOST,
    /** 0 for any free port. */
    port: values.PORT,
    dataDir: resolve(values.DATA_DIR),
    publicBaseUrl: values.PUBLIC_BASE_URL,
    /** `null` if other issuers are configured, and the development issuer is not requested. */
    issuer:
      values.OIDC_ISSUERS === null ? { port: values.DEV_ISSUER_PORT, url: values.DEV_ISSUER_URL } : null,
    /** `null` for the embedded Postgres. */
    databaseUrl: values.DATABASE_URL,
    /** `null` to generate one and keep it in the data folder. */
    apiKeyPepper: values.API_KEY_PEPPER,
    payments: { provider: values.PAYMENT_PROVIDER, sandboxPort: values.SANDBOX_PORT },
    /** Whether tools and comparisons are offered, for which there is a process. */
    tools: values.TOOLS === 'on',
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
    /** The port of the gateway's metrics; `null` for no metrics of any process. */
    metrics: telemetryConfig(values).metrics,
  }
}

export type LauncherConfig = Readonly<ReturnType<typeof readConfig>>

/** The development issuer to start. */
export type IssuerConfig = NonNullable<LauncherConfig['issuer']>
