import { join } from 'node:path'
import { createLogger } from '#libs/log/logger.js'
import type { RunningProcess } from '#libs/runtime/run-process.js'
import type { SandboxConfig } from './config.js'
import { startSandbox } from './start-sandbox.js'
import { fileStore } from './store.js'

/**
 * Starts the payment sandbox.
 * @throws Error such as `code: 'EADDRINUSE'` if it cannot listen.
 */
export async function compose(config: SandboxConfig): Promise<RunningProcess> {
  const log = createLogger('sandbox', config.logLevel)
  const sandbox = await startSandbox({
    ...config,
    webhookUrl: () => config.webhookUrl,
    store: fileStore(join(config.dataDir, 'sandbox-payments.json')),
    log,
  })
  log.info({ event: 'listening', port: config.port }, 'listening')
  return { log, shutdownGraceMs: config.shutdownGraceMs, stop: sandbox.stop }
}
