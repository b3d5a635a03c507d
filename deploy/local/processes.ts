import { fileURLToPath } from 'node:url'
import type { Environment } from '#libs/config/read-variables.js'
import type { Ports } from './assign-ports.js'
import type { LauncherConfig } from './config.js'
import { developmentAudience } from './development-issuer/development-user.js'
import { issuerUrlOf } from './development-issuer/issuer-url.js'

/** The processes of the system, by name. */
export type ProcessName = 'content' | 'identity' | 'activity' | 'issuer' | 'web' | 'gateway'

/** Those of them that keep something in the database. */
export const storedProcesses = ['identity', 'content', 'activity'] as const satisfies readonly ProcessName[]

type StoredProcess = (typeof storedProcesses)[number]

/** What node runs for a process, and its environment. */
export interface ProcessPlan {
  readonly script: string
  readonly env: Environment
}

function scriptAt(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url))
}

/**
 * How each process is run: what the operator set goes to all of them, and what ties them together is added. All but
 * gateway and issuer listen on loopback ports that nobody needs to know.
 */
export function planProcesses(
  config: LauncherConfig,
  ports: Ports,
  env: Environment,
): Omit<Record<ProcessName, ProcessPlan>, StoredProcess> & {
  /** These need the address of the database as well, and identity the secret behind API keys. */
  stored(databaseUrl: string, apiKeyPepper: string): Record<StoredProcess, ProcessPlan>
} {
  const publicBaseUrl = config.publicBaseUrl ?? `http://localhost:${ports.gateway}`
  const common: Environment = { ...env, PUBLIC_BASE_URL: publicBaseUrl }
  const contentTarget = `127.0.0.1:${ports.content}`
  const issuers: Environment =
    config.issuer === null ? {} : { OIDC_ISSUERS: `${issuerUrlOf(ports.issuer)}=${developmentAudience}` }
  return {
    stored: (databaseUrl, apiKeyPepper) => {
      const stored: Environment = {
        ...common,
        DATABASE_URL: databaseUrl,
        DATABASE_URL_FILE: undefined,
        GRPC_HOST: '127.0.0.1',
      }
      return {
        content: {
          script: scriptAt('services/content/main.js'),
          env: { ...stored, GRPC_PORT: String(ports.content) },
        },
        identity: {
          script: scriptAt('services/identity/main.js'),
          env: {
            ...stored,
            GRPC_PORT: String(ports.identity),
            API_KEY_PEPPER: apiKeyPepper,
            API_KEY_PEPPER_FILE: undefined,
          },
        },
        activity: {
          script: scriptAt('services/activity/main.js'),
          env: { ...stored, GRPC_PORT: String(ports.activity) },
        },
      }
    },
    issuer: {
      script: scriptAt('deploy/local/development-issuer/main.js'),
      env: { ...common, DEV_ISSUER_PORT: String(ports.issuer), DATA_DIR: config.dataDir },
    },
    web: {
      script: scriptAt('services/web/main.js'),
      env: {
        ...common,
        WEB_HOST: '127.0.0.1',
        WEB_PORT: String(ports.web),
        CONTENT_GRPC_TARGET: contentTarget,
      },
    },
    gateway: {
      script: scriptAt('gateway/main.js'),
      env: {
        ...common,
        ...issuers,
        HOST: config.host,
        PORT: String(ports.gateway),
        CONTENT_GRPC_TARGET: contentTarget,
        IDENTITY_GRPC_TARGET: `127.0.0.1:${ports.identity}`,
        ACTIVITY_GRPC_TARGET: `127.0.0.1:${ports.activity}`,
        WEB_URL: `http://127.0.0.1:${ports.web}`,
      },
    },
  }
}
