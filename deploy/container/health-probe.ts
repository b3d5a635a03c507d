import { healthClient } from '#libs/grpc/health-client.js'
import { plainTransport } from '#libs/grpc/transport.js'

const timeoutMs = 4_000

async function isUp(port: string, path: string): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(timeoutMs) })
  await response.body?.cancel()
  return response.ok
}

async function serves(port: string): Promise<boolean> {
  const health = healthClient(`127.0.0.1:${port}`, plainTransport.channelCredentials('self'))
  const found = await health.isServing(timeoutMs)
  health.close()
  return found
}

/** Arguments: `http VARIABLE PATH` or `grpc VARIABLE`, where the variable holds the port. */
async function isHealthy([kind, variable = '', path = '/']: readonly string[]): Promise<boolean> {
  const port = process.env[variable]
  if (port === undefined) return false
  return kind === 'grpc' ? serves(port) : isUp(port, path).catch(() => false)
}

process.exitCode = (await isHealthy(process.argv.slice(2))) ? 0 : 1
