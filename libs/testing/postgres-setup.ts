import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../embedded-postgres/start-embedded-postgres.js'
import { inContainer, type SharedServer, shareServer } from './shared-server.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** A login of the test server that may create databases and schemas. */
    databaseUrl: string
  }
}

interface TestServer extends SharedServer {
  readonly url: string
}

function fromDocker(): Promise<TestServer | null> {
  return inContainer(
    ({ GenericContainer, Wait }) =>
      new GenericContainer('postgres:18-alpine')
        .withEnvironment({ POSTGRES_PASSWORD: 'test' })
        .withExposedPorts(5432)
        .withCommand(['-c', 'fsync=off', '-c', 'max_connections=300'])
        .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
        .start(),
    (container) => ({
      url: `postgres://postgres:test@${container.getHost()}:${container.getMappedPort(5432)}/postgres`,
    }),
  )
}

async function fromEmbedded(): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-test-'))
  const server = await startEmbeddedPostgres({
    dataDir,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
    log: () => {},
  })
  return {
    url: server.url,
    async stop() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function startTestServer(): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL
  if (given !== undefined && given !== '') return { url: given, stop: async () => {} }
  return (await fromDocker()) ?? (await fromEmbedded())
}

/**
 * Provides `databaseUrl` to the tests: TEST_DATABASE_URL if it is set, else a container if Docker runs, else
 * the embedded Postgres in a temporary folder. All projects of a run share one server.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, release } = await shareServer('postgres', startTestServer)
  project.provide('databaseUrl', server.url)
  return release
}
