import type { TestProject } from 'vitest/node'
import { startRedisServer, whyNoRedis } from './redis-server.js'
import { inContainer, type SharedServer, shareServer } from './shared-server.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** A Redis for all tests; `null` if there is none. */
    redisUrl: string | null
    /** Why a test cannot start its own Redis; `null` if it can. */
    whyNoRedis: string | null
  }
}

interface TestRedis extends SharedServer {
  readonly url: string | null
}

function fromDocker(): Promise<TestRedis | null> {
  return inContainer(
    ({ GenericContainer, Wait }) =>
      new GenericContainer('redis:7-alpine')
        .withExposedPorts(6379)
        .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
        .start(),
    (container) => ({ url: `redis://${container.getHost()}:${container.getMappedPort(6379)}` }),
  )
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
 * Provides `redisUrl` to the tests: TEST_REDIS_URL if it is set, else a container if Docker runs, else this
 * machine's `redis-server`. Without any, tests that need it are skipped with the reason, and the run fails if
 * CI=true. All projects of a run share one server.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, release } = await shareServer('redis', startTestRedis)
  project.provide('redisUrl', server.url)
  project.provide('whyNoRedis', whyNoRedis())
  return release
}
