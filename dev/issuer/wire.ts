import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createLogger } from '#libs/log/logger.js'
import { isAddressMissing } from '#libs/runtime/free-port.js'
import type { RunningProcess } from '#libs/runtime/run-process.js'
import { developmentSecret } from '../../deploy/launcher/data-dir.js'
import type { DevelopmentIssuerConfig } from './config.js'
import { issuerListener } from './issuer-listener.js'
import { createProvider } from './provider.js'
import { signingKey } from './signing-key.js'

async function listen(handler: RequestListener, port: number, host: string): Promise<Server> {
  const server = createServer(handler)
  server.listen(port, host)
  await once(server, 'listening')
  return server
}

/** Some programs resolve `localhost` to ::1 and others to 127.0.0.1, so this listens on both, if there is IPv6. */
async function listenAt(handler: RequestListener, port: number, host: string): Promise<readonly Server[]> {
  if (host !== 'localhost') return [await listen(handler, port, host)]
  const first = await listen(handler, port, '127.0.0.1')
  try {
    return [first, await listen(handler, port, '::1')]
  } catch (error) {
    if (error instanceof Error && 'code' in error && isAddressMissing(error.code)) return [first]
    await close(first)
    throw error
  }
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/**
 * Starts the development issuer.
 * @throws Error such as `code: 'EADDRINUSE'` if it cannot listen.
 */
export async function compose(config: DevelopmentIssuerConfig): Promise<RunningProcess> {
  const log = createLogger('issuer', config.logLevel)
  const provider = createProvider({
    issuer: config.issuer,
    key: await signingKey(config.dataDir),
    cookieKey: await developmentSecret(config.dataDir, 'issuer-cookie-key'),
    publicBaseUrl: config.publicBaseUrl,
  })
  provider.on('server_error', (_ctx, error) =>
    log.error({ event: 'unexpected_error', err: error }, 'unexpected error'),
  )
  const servers = await listenAt(
    issuerListener(provider, new URL(config.publicBaseUrl).origin),
    config.port,
    config.host,
  )
  log.info({ event: 'listening', port: config.port }, 'listening')
  return {
    log,
    shutdownGraceMs: config.shutdownGraceMs,
    async stop() {
      await Promise.all(servers.map(close))
    },
  }
}
