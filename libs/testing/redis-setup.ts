import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { startRedisServer, whyNoRedis } from './redis-server.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** A Redis for all tests; `null` where none can be had. */
    redisUrl: string | null
    /** Why a test cannot start a Redis of its own; `null` when it can. */
    whyNoRedis: string | null
  }
}

interface TestRedis {
  readonly url: string | null
  stop(): Promise<void>
}

declare global {
  /** Each vitest project loads this module anew, so what they share hangs on the process. */
  var snipkeepTestRedis: { users: number; readonly redis: Promise<TestRedis> } | undefined
}

async function fromDocker(): Promise<TestRedis | null> {
  try {
    await promisify(execFile)('docker', ['info'], { timeout: 5_000 })
    const { GenericContainer, Wait } = await import('testcontainers')
    const container = await new GenericContainer('redis:7-alpine')
      .withExposedPorts(6379)
      .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
      .start()
    return {
      url: `redis://${container.getHost()}:${container.getMappedPort(6379)}`,
      stop: async () => {
        await container.stop()
      },
    }
  } catch {
    return null
  }
}

async function startTestRedis(): Promise<TestRedis> {
  const given = process.env.TEST_REDIS_URL
  if (given !== undefined && given !== '') return { url: given, stop: async () => {} }
  const container = await fromDocker()
  if (container !== null) return container
  const reason = whyNoRedis()
  if (reason === null) return startRedisServer()
  if (process.env.CI === 'true') throw new Error(`The tests need Redis: ${reason}.`)
  process.stderr.write(`Tests that need Redis are skipped: ${reason}.\n`)
  return { url: null, stop: async () => {} }
}

/**
 * Provides `redisUrl` to the tests: TEST_REDIS_URL where it is set, else a container where Docker runs, else a
 * `redis-server` of this machine. Where there is none the tests that need it are skipped with the reason, and under
 * CI=true the run fails. One server for all projects of a run.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const entry = globalThis.snipkeepTestRedis ?? { users: 0, redis: startTestRedis() }
  globalThis.snipkeepTestRedis = entry
  entry.users += 1
  project.provide('redisUrl', (await entry.redis).url)
  project.provide('whyNoRedis', whyNoRedis())
  return async () => {
    entry.users -= 1
    if (entry.users > 0) return
    globalThis.snipkeepTestRedis = undefined
    await (await entry.redis).stop()
  }
}
