import { randomBytes } from 'node:crypto'
import { createClient } from 'redis'
import { messageOf } from '../core/message-of.js'
import { clockFinding, skewOf } from '../doctor/clock-finding.js'
import { type Finding, ok, problem, skipped, warning } from '../doctor/finding.js'
import { probeKeys, refusalOf } from './refused-node.js'

const timeoutMs = 3_000
const pings = 10
/** A command has 100 ms; one that needs a fifth of that at rest is near the limit. */
const latencyLimits = { warningMs: 20, problemMs: 100 }

/** The address without user and password. */
function shown(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}

function openOnce(url: string) {
  return createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: timeoutMs, socketTimeout: timeoutMs, reconnectStrategy: false },
  })
}

type Client = ReturnType<typeof openOnce>

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return messageOf(error)
}

function whyNotConnected(url: string, error: unknown): Finding {
  const message = reasonOf(error)
  if (/NOAUTH|WRONGPASS|invalid username-password|AUTH/.test(message))
    return problem('redis', `${shown(url)} rejected the login`, 'fix the password in REDIS_URL')
  return problem(
    'redis',
    `${shown(url)} cannot be reached (${message})`,
    'start Redis there, or fix REDIS_URL; until then, limits and invalidations are per process',
  )
}

/** The value of a line `name:value` of INFO. */
function infoOf(text: string, name: string): string {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(text)?.[1] ?? ''
}

/** Judges a version such as `7.0.15`. */
export function redisVersionFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 6 || (major === 6 && minor >= 2)) return ok('redis version', version)
  return problem('redis version', `${version} is too old`, 'install Redis 6.2 or later, or Valkey')
}

/** Judges the eviction policy of Redis. */
export function evictionFinding(policy: string, memoryMax: number): Finding {
  if (memoryMax === 0 || policy === 'noeviction') return ok('redis eviction', 'no key is evicted')
  return warning(
    'redis eviction',
    `with ${policy}, a full Redis forgets counted requests and lets through more than the limits allow`,
    'redis-cli CONFIG SET maxmemory-policy noeviction',
  )
}

/** Judges the latency of a command. */
export function latencyFinding(medianMs: number): Finding {
  const message = `a command takes ${medianMs.toFixed(1)} ms`
  const remedy = 'move Redis closer to the gateways: commands time out after 100 ms'
  if (medianMs > latencyLimits.problemMs) return problem('redis latency', message, remedy)
  if (medianMs > latencyLimits.warningMs) return warning('redis latency', message, remedy)
  return ok('redis latency', message)
}

async function checkInfo(client: Client): Promise<readonly Finding[]> {
  try {
    const server = await client.info('server')
    const memory = await client.info('memory')
    const memoryMax = Number(infoOf(memory, 'maxmemory'))
    return [
      redisVersionFinding(infoOf(server, 'redis_version')),
      evictionFinding(infoOf(memory, 'maxmemory_policy'), memoryMax),
    ]
  } catch {
    return [skipped('redis version', 'this login may not run INFO')]
  }
}

async function checkWriting(client: Client): Promise<Finding> {
  const key = `snipkeep:doctor:${randomBytes(8).toString('hex')}`
  try {
    await client.del(probeKeys)
    await client.set(key, '1', { PX: 1_000 })
    await client.del(key)
    return ok('redis writing', 'keys can be written')
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal !== null) return problem('redis writing', refusal.message, refusal.remedy)
    const message = reasonOf(error)
    const remedy = /OOM/.test(message)
      ? 'give Redis more memory: redis-cli CONFIG SET maxmemory 256mb'
      : 'give this login the right to write: ACL SETUSER … ~snipkeep:* +@all'
    return problem('redis writing', `nothing can be written (${message})`, remedy)
  }
}

async function checkLatency(client: Client): Promise<Finding> {
  const took: number[] = []
  for (let ping = 0; ping < pings; ping += 1) {
    const from = performance.now()
    await client.ping()
    took.push(performance.now() - from)
  }
  return latencyFinding(took.toSorted((one, other) => one - other)[pings / 2] ?? 0)
}

async function checkClock(client: Client): Promise<Finding> {
  const askedAt = Date.now()
  const reply: unknown = await client.sendCommand(['TIME'])
  const [seconds, microseconds] = Array.isArray(reply) ? reply.map(Number) : []
  const said = (seconds ?? 0) * 1_000 + (microseconds ?? 0) / 1_000
  return clockFinding('redis clock', 'Redis', skewOf({ askedAt, said, arrivedAt: Date.now() }))
}

/** Whether Redis can be reached and written, is recent and fast enough, and has a correct clock. */
export async function checkRedis(url: string | null): Promise<readonly Finding[]> {
  if (url === null)
    return [skipped('redis', 'REDIS_URL is not set: limits and invalidations are per process')]
  const client = openOnce(url)
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    return [whyNotConnected(url, error)]
  }
  try {
    return [
      ok('redis', `${shown(url)} responds`),
      ...(await checkInfo(client)),
      await checkWriting(client),
      await checkLatency(client),
      await checkClock(client),
    ]
  } finally {
    if (client.isOpen) client.destroy()
  }
}
