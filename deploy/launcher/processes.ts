import { fileURLToPath } from 'node:url'
import type { Environment } from '#libs/config/read-variables.js'
import { developmentAudience } from '../../dev/issuer/development-user.js'
import { issuerUrlOf } from '../../dev/issuer/issuer-url.js'
import {
  gatewayUrlOf,
  localUrlOf,
  type MetricsPorts,
  type Ports,
  type ServiceAddresses,
} from './addresses.js'
import type { LauncherConfig } from './config.js'

export type ProcessName = keyof ServiceAddresses | 'issuer' | 'sandbox' | 'web' | 'gateway'

/** The processes that use the database. */
export const storedProcesses = [
  'identity',
  'content',
  'activity',
  'billing',
] as const satisfies readonly ProcessName[]

export type StoredProcess = (typeof storedProcesses)[number]

/** The role with which a service serves on the embedded Postgres. */
export function servingRoleOf(service: StoredProcess): string {
  return `snipkeep_${service}_serving`
}

export interface DatabaseAddresses {
  /** With the login for migrations. */
  readonly url: string
  /** With the login of each service, if it has its own. */
  readonly serving: Readonly<Partial<Record<StoredProcess, string>>>
}

/** A service migrates with the first login, and serves with its own, if it has one. */
export function databaseEnvironment({ url, serving }: DatabaseAddresses, service: StoredProcess) {
  const own = serving[service]
  const role: Environment = own === undefined ? {} : { DATABASE_SERVING_ROLE: servingRoleOf(service) }
  const at = (DATABASE_URL: string): Environment => ({ DATABASE_URL, DATABASE_URL_FILE: undefined, ...role })
  return { migrate: at(url), serve: at(own ?? url) }
}

/** The secrets of a development system, generated on first use. */
export interface DevelopmentSecrets {
  readonly apiKeyPepper: string
  readonly sandboxKey: string
  readonly sandboxWebhook: string
}

/** For people and processes on this machine. */
export function sandboxUrlOf({ sandbox }: Pick<Ports, 'sandbox'>): string {
  return `http://localhost:${sandbox}`
}

/** How to start a process. */
export interface ProcessPlan {
  /** Options for node itself; none by default. */
  readonly nodeArgs?: readonly string[]
  readonly script: string
  readonly env: Environment
}

/** The listening addresses of all processes. */
export interface Places {
  readonly ports: Ports
  readonly services: ServiceAddresses
}

/** The metrics port of a process, if metrics are on. */
function measured({ metrics }: Ports, name: keyof MetricsPorts): Environment {
  return metrics === null ? {} : { METRICS_PORT: String(metrics[name]) }
}

/**
 * For rarely used processes: keeps V8's young generation small, which would otherwise grow to 16 MB or more at startup
 * and stay there. Saves about 14 MB in total; processes under load keep the default.
 */
const frugal = ['--max-semi-space-size=2']

/** The program of a process, as one bundle. */
function bundleOf(name: ProcessName): string {
  return fileURLToPath(new URL(`../../bundles/${name}/main.js`, import.meta.url))
}

/**
 * Every process gets the operator's environment, and the addresses of the others. Services listen on sockets that only
 * this user may open, and other internal listeners on loopback ports.
 */
export function planProcesses(
  config: LauncherConfig,
  { ports, services }: Places,
  secrets: DevelopmentSecrets,
  env: Environment,
): Omit<Record<ProcessName, ProcessPlan>, StoredProcess> & {
  /** The processes that use the database. */
  stored(database: DatabaseAddresses): Record<StoredProcess, ProcessPlan>
} {
  const publicBaseUrl = config.publicBaseUrl ?? localUrlOf(config.host, ports.gateway)
  const mode = (env.NODE_ENV ?? '') === '' ? 'development' : env.NODE_ENV
  const common: Environment = { ...env, NODE_ENV: mode, PUBLIC_BASE_URL: publicBaseUrl }
  const targets = {
    CONTENT_GRPC_TARGET: services.content,
    IDENTITY_GRPC_TARGET: services.identity,
    ACTIVITY_GRPC_TARGET: services.activity,
  }
  const sandbox: Environment = {
    SANDBOX_URL: sandboxUrlOf(ports),
    SANDBOX_SECRET_KEY: secrets.sandboxKey,
    SANDBOX_SECRET_KEY_FILE: undefined,
    SANDBOX_WEBHOOK_SECRET: secrets.sandboxWebhook,
    SANDBOX_WEBHOOK_SECRET_FILE: undefined,
  }
  const issuers: Environment =
    config.issuer === null
      ? {}
      : {
          OIDC_ISSUERS: `${issuerUrlOf(ports.issuer, config.issuer.url)}=${developmentAudience}`,
          // The development issuer has only one client.
          OIDC_CLI_CLIENT_ID: undefined,
        }
  const service = (name: keyof ServiceAddresses, own: Environment = {}): ProcessPlan => ({
    script: bundleOf(name),
    env: { ...common, ...measured(ports, name), GRPC_HOST: services[name], ...own },
  })
  return {
    stored: (database) => {
      const stored = (name: StoredProcess, own: Environment): ProcessPlan =>
        service(name, { ...databaseEnvironment(database, name).serve, ...own })
      return {
        content: stored('content', {
          IDENTITY_GRPC_TARGET: services.identity,
          STORAGE_PATH: env.STORAGE_PATH ?? config.dataDir,
        }),
        identity: stored('identity', {
          API_KEY_PEPPER: secrets.apiKeyPepper,
          API_KEY_PEPPER_FILE: undefined,
        }),
        activity: stored('activity', { IDENTITY_GRPC_TARGET: services.identity }),
        billing: {
          nodeArgs: frugal,
          ...stored('billing', {
            ...targets,
            BILLING_WEBHOOK_HOST: '127.0.0.1',
            BILLING_WEBHOOK_PORT: String(ports.webhook),
            ...(config.payments.provider === 'sandbox' ? sandbox : {}),
          }),
        },
      }
    },
    issuer: {
      nodeArgs: frugal,
      script: bundleOf('issuer'),
      env: { ...common, DEV_ISSUER_PORT: String(ports.issuer), DATA_DIR: config.dataDir },
    },
    sandbox: {
      nodeArgs: frugal,
      script: bundleOf('sandbox'),
      env: {
        ...common,
        ...sandbox,
        DATA_DIR: config.dataDir,
        SANDBOX_PORT: String(ports.sandbox),
        SANDBOX_WEBHOOK_URL: `${gatewayUrlOf(config.host, ports.gateway)}/api/webhooks/stripe`,
      },
    },
    tools: { nodeArgs: frugal, ...service('tools') },
    web: {
      script: bundleOf('web'),
      env: {
        ...common,
        ...issuers,
        ...measured(ports, 'web'),
        WEB_HOST: '127.0.0.1',
        WEB_PORT: String(ports.web),
        CONTENT_GRPC_TARGET: targets.CONTENT_GRPC_TARGET,
      },
    },
    gateway: {
      script: bundleOf('gateway'),
      env: {
        ...common,
        ...issuers,
        ...measured(ports, 'gateway'),
        HOST: config.host,
        PORT: String(ports.gateway),
        ...targets,
        BILLING_GRPC_TARGET: services.billing,
        TOOLS_GRPC_TARGET: services.tools,
        BILLING_WEBHOOK_URL: `http://127.0.0.1:${ports.webhook}`,
        WEB_URL: `http://127.0.0.1:${ports.web}`,
      },
    },
  }
}
