import { freePort, whyPortIsTaken } from '#libs/runtime/free-port.js'
import type { LauncherConfig } from './config.js'
import { LaunchError } from './launch-error.js'

/** The ports of one run. */
export interface Ports {
  readonly gateway: number
  readonly issuer: number
  readonly content: number
  readonly identity: number
  readonly activity: number
  readonly web: number
}

async function requireFree(port: number, host: string, variable: string): Promise<void> {
  const code = await whyPortIsTaken(port, host)
  const another = `choose another one, such as ${variable}=${port === 8080 ? 9080 : port + 10} npm start`
  switch (code) {
    case null:
      return
    case 'EADDRINUSE':
      throw new LaunchError(
        `Port ${port} (${variable}) is already taken by another program; stop that one, or ${another}.`,
      )
    case 'EACCES':
      throw new LaunchError(
        `This user must not listen on port ${port} (${variable}); ports below 1024 mostly need more rights, so ${variable}=8080 or higher is the way out.`,
      )
    default:
      throw new LaunchError(
        `Nobody can listen on ${host}:${port} (${code}); set HOST to an address of this machine, or ${another}.`,
      )
  }
}

/**
 * The gateway's and the issuer's port as configured, and free ones for the rest.
 * @throws LaunchError when a configured one cannot be had.
 */
export async function assignPorts(config: LauncherConfig): Promise<Ports> {
  const gateway = config.port === 0 ? await freePort(0, config.host) : config.port
  await requireFree(gateway, config.host, 'PORT')
  const configured = config.issuer?.port ?? null
  const issuer = config.port === 0 && configured === null ? await freePort() : (configured ?? gateway + 1)
  if (config.issuer !== null && issuer !== 0) await requireFree(issuer, '127.0.0.1', 'DEV_ISSUER_PORT')
  const [content, identity, activity, web] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ])
  return { gateway, issuer, content, identity, activity, web }
}
