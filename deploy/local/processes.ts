import { fileURLToPath } from 'node:url'
import type { Environment } from '#libs/config/read-variables.js'
import type { Ports } from './assign-ports.js'
import type { LauncherConfig } from './config.js'
import { developmentAudience } from './development-issuer/development-user.js'
import { issuerUrlOf } from './development-issuer/issuer-url.js'

/** The processes of the system, by name. */
export type ProcessName = 'content' | 'identity' | 'issuer' | 'web' | 'gateway'

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
): Omit<Record<ProcessName, ProcessPlan>, 'content' | 'identity'> & {
  /** These need the address of the database as well. */
  stored(databaseUrl: string): Record<'content' | 'identity', ProcessPlan>
} {
  const publicBaseUrl = config.publicBaseUrl ?? `http://localhost:${ports.gateway}`
  const common: Environment = { ...env, PUBLIC_BASE_URL: publicBaseUrl }
  const contentTarget = `127.0.0.1:${ports.content}`
  const issuers: Environment =
    config.issuer === null ? {} : { OIDC_ISSUERS: `${issuerUrlOf(ports.issuer)}=${developmentAudience}` }
  return {
    stored: (databaseUrl) => {
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
          env: { ...stored, GRPC_PORT: String(ports.identity) },
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
        WEB_URL: `http://127.0.0.1:${ports.web}`,
      },
    },
  }
}
