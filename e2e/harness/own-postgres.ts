import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#libs/embedded-postgres/start-embedded-postgres.js'
import { signalAll, withChildren } from './process-tree.js'

/** A test's own Postgres, which it may crash and freeze. Commits are durable. */
export interface OwnPostgres {
  readonly url: string
  /** Stops it in `immediate` mode: clients are dropped, and it has to recover. */
  stopImmediately(): Promise<void>
  /** Starts it again on the same port; resolves when it accepts connections. */
  start(): Promise<void>
  /** Freezes it while its connections stay open; only on Linux. */
  freeze(): void
  /** Does nothing if it is not frozen. */
  thaw(): void
  remove(): Promise<void>
}

/** Starts it in a temporary folder. */
export async function startOwnPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-own-postgres-'))
  const launch = () => startEmbeddedPostgres({ dataDir, settings, log: () => {} })
  let server = await launch()
  let frozen: readonly number[] = []
  const { url } = server
  return {
    url,
    async stopImmediately() {
      process.kill(server.pid, 'SIGQUIT')
      await server.exited
    },
    async start() {
      server = await launch()
      if (server.url !== url) throw new Error('Postgres came back under another address')
    },
    freeze() {
      frozen = withChildren(server.pid)
      signalAll(frozen, 'SIGSTOP')
    },
    thaw() {
      signalAll(frozen, 'SIGCONT')
      frozen = []
    },
    async remove() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
