import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import {
  foldersWith,
  type InstalledPostgres,
  startInstalledPostgres,
} from '#libs/testing/installed-postgres.js'
import { withSession } from '#libs/testing/table-digests.js'

type Work<Result> = (server: Pick<InstalledPostgres, 'url'> | null) => Promise<Result>

const settings = { max_connections: '300' }

/** Whether a server is built with lz4. */
async function knowsLz4(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_settings WHERE pg_settings.name = 'default_toast_compression' AND 'lz4' = ANY (pg_settings.enumvals)`,
  )
  return rowCount === 1
}

/** Does `work` with the server of these programs; `null` if it has no lz4. */
async function withInstalled<Result>(bin: string, work: Work<Result>): Promise<{ result: Result } | null> {
  const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-lz4-'))
  try {
    const server = await startInstalledPostgres(bin, dataDir, settings)
    try {
      const hasLz4 = await withSession(server.url, async (client) => {
        if (!(await knowsLz4(client))) return false
        // As a setting of its start, it would stop a server without lz4.
        await client.query(`ALTER ROLE ALL SET default_toast_compression = 'lz4'`)
        return true
      })
      return hasLz4 ? { result: await work(server) } : null
    } finally {
      await server.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/**
 * Does `work` with the first server that has lz4: those of PG_BIN alone if it is set, else of PATH, then Debian's,
 * newest first; else that of TEST_DATABASE_URL; `null` where none has.
 */
export async function withLz4Server<Result>(work: Work<Result>): Promise<Result> {
  for (const bin of foldersWith('initdb', 'postgres')) {
    const done = await withInstalled(bin, work)
    if (done !== null) return done.result
  }
  const url = process.env.TEST_DATABASE_URL ?? ''
  return work(url !== '' && (await withSession(url, knowsLz4)) ? { url } : null)
}
