import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createLogger } from '#libs/log/logger.js'
import type { RunningProcess } from '#libs/runtime/run-process.js'
import { developmentSecret } from '../development-secret.js'
import type { DevelopmentIssuerConfig } from './config.js'
import { issuerUrlOf } from './issuer-url.js'
import { createProvider } from './provider.js'
import { signingKey } from './signing-key.js'

async function listen(handler: RequestListener, port: number, host: string): Promise<Server> {
  const server = createServer(handler)
  server.listen(port, host)
  await once(server, 'listening')
  return server
}

/** `localhost` is ::1 to some programs and 127.0.0.1 to others; where there is no IPv6 the latter does. */
async function listenOnLoopback(handler: RequestListener, port: number): Promise<readonly Server[]> {
  const first = await listen(handler, port, '127.0.0.1')
  try {
    return [first, await listen(handler, port, '::1')]
  } catch {
    return [first]
  }
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/**
 * Starts the development issuer on loopback.
 * @throws Error with `code: 'EADDRINUSE'` and the like when it cannot listen.
 */
export async function compose(config: DevelopmentIssuerConfig): Promise<RunningProcess> {
  const log = createLogger('issuer', config.logLevel)
  const provider = createProvider({
    issuer: issuerUrlOf(config.port),
    key: await signingKey(config.dataDir),
    cookieKey: await developmentSecret(config.dataDir, 'issuer-cookie-key'),
    publicBaseUrl: config.publicBaseUrl,
  })
  provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'an unexpected error'))
  const servers = await listenOnLoopback(provider.callback(), config.port)
  log.info({ port: config.port }, 'listening')
  return {
    log,
    shutdownGraceMs: config.shutdownGraceMs,
    async stop() {
      await Promise.all(servers.map(close))
    },
  }
}
