import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from '#libs/log/logger.js'
import { drainServer } from '#libs/runtime/drain-server.js'
import type { RunningProcess } from '#libs/runtime/run-process.js'
import { createApp } from './app.js'
import { createUploadBudget } from './body/upload-budget.js'
import type { GatewayConfig } from './config.js'
import { createTokenVerifier } from './credentials/verify-identity-token.js'
import { createAuthenticate } from './middleware/authenticate.js'
import { createCors } from './middleware/cors.js'
import { createWebProxy } from './proxies/web-proxy.js'
import { createReadiness } from './readiness.js'
import { allOperations } from './routes/operations.js'
import { createHttpServer } from './server.js'
import { openUpstreams } from './upstreams.js'

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening')
}

/** How long load balancers have to notice that the gateway is not ready before it stops accepting, in milliseconds. */
const unreadyMs = 100

/**
 * Puts the gateway together and listens.
 * @throws Error with `code: 'EADDRINUSE'` and the like when it cannot.
 */
export async function compose(config: GatewayConfig): Promise<RunningProcess> {
  const log = createLogger('gateway', config.logLevel)
  const upstreams = openUpstreams({ content: config.contentTarget, identity: config.identityTarget })
  const verifier = createTokenVerifier({ issuers: config.issuers, now: Date.now, log })
  let stopping = false
  const operations = allOperations(
    {
      upstreams,
      plans: config.plans,
      publicBaseUrl: config.publicBaseUrl,
      uploads: createUploadBudget(config.uploadBytesInFlightMax),
    },
    createReadiness({
      health: upstreams.health,
      webUrl: config.webUrl,
      issuers: verifier,
      isStopping: () => stopping,
    }),
  )
  const app = createApp({
    operations,
    authenticate: createAuthenticate(verifier, upstreams.accounts),
    cors: createCors(config.corsOrigins),
    webProxy: createWebProxy(config.webUrl),
    log,
  })
  const server = createHttpServer(app)
  await listen(server, config.port, config.host)
  log.info({ port: config.port }, 'listening')
  return {
    log,
    shutdownGraceMs: config.shutdownGraceMs,
    async stop() {
      stopping = true
      await sleep(unreadyMs)
      await drainServer(server)
      upstreams.close()
    },
  }
}
