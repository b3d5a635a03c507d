import { fileURLToPath } from 'node:url'
import type { Environment } from '#libs/config/read-variables.js'
import {
  gatewayUrlOf,
  localUrlOf,
  type MetricsPorts,
  type Ports,
  type ServiceAddresses,
} from './addresses.js'
import type { LauncherConfig } from './config.js'
import { developmentAudience } from './development-issuer/development-user.js'
import { issuerUrlOf } from './development-issuer/issuer-url.js'

/** The processes of the system, by name. */
export type ProcessName =
  | 'content'
  | 'identity'
  | 'activity'
  | 'billing'
  | 'issuer'
  | 'sandbox'
  | 'web'
  | 'gateway'

/** Those of them that keep something in the database. */
export const storedProcesses = [
  'identity',
  'content',
  'activity',
  'billing',
] as const satisfies readonly ProcessName[]

export type StoredProcess = (typeof storedProcesses)[number]

/** The role of the embedded Postgres that a service serves as. */
export function servingRoleOf(service: StoredProcess): string {
  return `snipkeep_${service}_serving`
}

export interface DatabaseAddresses {
  /** Of the login that migrates. */
  readonly url: string
  /** Where each service logs in to serve, if that is another login. */
  readonly serving: Readonly<Partial<Record<StoredProcess, string>>>
}

/** How a service reaches the database: to migrate by the first login, and by its own to serve, where it has one. */
export function databaseEnvironment({ url, serving }: DatabaseAddresses, service: StoredProcess) {
  const own = serving[service]
  const role: Environment = own === undefined ? {} : { DATABASE_SERVING_ROLE: servingRoleOf(service) }
  const at = (address: string): Environment => ({
    DATABASE_URL: address,
    DATABASE_URL_FILE: undefined,
    ...role,
  })
  return { migrate: at(url), serve: at(own ?? url) }
}

/** Secrets of a development system, each made on first use. */
export interface DevelopmentSecrets {
  readonly apiKeyPepper: string
  readonly sandboxKey: string
  readonly sandboxWebhook: string
}

/** Where people and processes of this machine find the sandbox for payments. */
export function sandboxUrlOf({ sandbox }: Pick<Ports, 'sandbox'>): string {
  return `http://localhost:${sandbox}`
}

/** What node runs for a process, and its environment. */
export interface ProcessPlan {
  /** Options of node itself; none unless given. */
  readonly nodeArgs?: readonly string[]
  readonly script: string
  readonly env: Environment
}

/** Where the processes of a run listen. */
export interface Places {
  readonly ports: Ports
  readonly services: ServiceAddresses
}

/** Where a process tells its metrics, where it does. */
function measured({ metrics }: Ports, name: keyof MetricsPorts): Environment {
  return metrics === null ? {} : { METRICS_PORT: String(metrics[name]) }
}

/**
 * For processes that are asked now and then: V8's space for new objects stays small, where it would grow to 16 MB and
 * more while the process starts and keep that. Saves some 14 MB over all of them; those under load are left alone.
 */
const frugal = ['--max-semi-space-size=2']

function scriptAt(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url))
}

/**
 * How each process is run: what the operator set goes to all of them, and what ties them together is added. Services
 * listen on sockets that only this user may open, and all else that no one needs to know on loopback ports.
 */
export function planProcesses(
  config: LauncherConfig,
  { ports, services }: Places,
  secrets: DevelopmentSecrets,
  env: Environment,
): Omit<Record<ProcessName, ProcessPlan>, StoredProcess> & {
  /** These need the addresses of the database as well. */
  stored(database: DatabaseAddresses): Record<StoredProcess, ProcessPlan>
} {
  const publicBaseUrl = config.publicBaseUrl ?? localUrlOf(config.host, ports.gateway)
  // No one has to say of each process that it is one of development.
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
          // It knows one client.
          OIDC_CLI_CLIENT_ID: undefined,
        }
  return {
    stored: (database) => {
      const stored = (service: StoredProcess): Environment => ({
        ...common,
        ...databaseEnvironment(database, service).serve,
      })
      return {
        content: {
          script: scriptAt('services/content/main.js'),
          env: {
            ...stored('content'),
            ...measured(ports, 'content'),
            GRPC_HOST: services.content,
            IDENTITY_GRPC_TARGET: services.identity,
            STORAGE_PATH: env.STORAGE_PATH ?? config.dataDir,
          },
        },
        identity: {
          script: scriptAt('services/identity/main.js'),
          env: {
            ...stored('identity'),
            ...measured(ports, 'identity'),
            GRPC_HOST: services.identity,
            API_KEY_PEPPER: secrets.apiKeyPepper,
            API_KEY_PEPPER_FILE: undefined,
          },
        },
        activity: {
          script: scriptAt('services/activity/main.js'),
          env: { ...stored('activity'), ...measured(ports, 'activity'), GRPC_HOST: services.activity },
        },
        billing: {
          nodeArgs: frugal,
          script: scriptAt('services/billing/main.js'),
          env: {
            ...stored('billing'),
            ...targets,
            ...measured(ports, 'billing'),
            GRPC_HOST: services.billing,
            BILLING_WEBHOOK_HOST: '127.0.0.1',
            BILLING_WEBHOOK_PORT: String(ports.webhook),
            ...(config.payments.provider === 'sandbox' ? sandbox : {}),
          },
        },
      }
    },
    issuer: {
      nodeArgs: frugal,
      script: scriptAt('deploy/local/development-issuer/main.js'),
      env: { ...common, DEV_ISSUER_PORT: String(ports.issuer), DATA_DIR: config.dataDir },
    },
    sandbox: {
      nodeArgs: frugal,
      script: scriptAt('deploy/local/payment-sandbox/main.js'),
      env: {
        ...common,
        ...sandbox,
        DATA_DIR: config.dataDir,
        SANDBOX_PORT: String(ports.sandbox),
        SANDBOX_WEBHOOK_URL: `${gatewayUrlOf(config.host, ports.gateway)}/api/webhooks/stripe`,
      },
    },
    web: {
      script: scriptAt('services/web/main.js'),
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
      script: scriptAt('gateway/main.js'),
      env: {
        ...common,
        ...issuers,
        ...measured(ports, 'gateway'),
        HOST: config.host,
        PORT: String(ports.gateway),
        ...targets,
        BILLING_GRPC_TARGET: services.billing,
        BILLING_WEBHOOK_URL: `http://127.0.0.1:${ports.webhook}`,
        WEB_URL: `http://127.0.0.1:${ports.web}`,
      },
    },
  }
}
