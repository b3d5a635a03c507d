import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../embedded-postgres/start-embedded-postgres.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** A login of the test server that may create databases and schemas. */
    databaseUrl: string
  }
}

interface TestServer {
  readonly url: string
  stop(): Promise<void>
}

declare global {
  /** Each vitest project loads this module anew, so what they share hangs on the process. */
  var snipkeepTestServer: { users: number; readonly server: Promise<TestServer> } | undefined
}

async function fromDocker(): Promise<TestServer | null> {
  try {
    await promisify(execFile)('docker', ['info'], { timeout: 5_000 })
    const { GenericContainer, Wait } = await import('testcontainers')
    const container = await new GenericContainer('postgres:18-alpine')
      .withEnvironment({ POSTGRES_PASSWORD: 'test' })
      .withExposedPorts(5432)
      .withCommand(['-c', 'fsync=off', '-c', 'max_connections=300'])
      .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
      .start()
    return {
      url: `postgres://postgres:test@${container.getHost()}:${container.getMappedPort(5432)}/postgres`,
      stop: async () => {
        await container.stop()
      },
    }
  } catch {
    return null
  }
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
 * Provides `databaseUrl` to the tests: TEST_DATABASE_URL where it is set, else a container where Docker runs, else the
 * embedded Postgres in a folder for this run. One server for all projects of a run.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const entry = globalThis.snipkeepTestServer ?? { users: 0, server: startTestServer() }
  globalThis.snipkeepTestServer = entry
  entry.users += 1
  project.provide('databaseUrl', (await entry.server).url)
  return async () => {
    entry.users -= 1
    if (entry.users > 0) return
    globalThis.snipkeepTestServer = undefined
    await (await entry.server).stop()
  }
}
