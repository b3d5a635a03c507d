import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import {
  type InstalledPostgres,
  installedPrograms,
  startInstalledPostgres,
} from '#libs/testing/installed-postgres.js'

const settings = { default_toast_compression: 'lz4', max_connections: '300' }

/** Whether a server is built with lz4. */
async function knowsLz4(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query(
      `SELECT FROM pg_settings WHERE pg_settings.name = 'default_toast_compression' AND 'lz4' = ANY (pg_settings.enumvals)`,
    )
    return rowCount === 1
  } finally {
    await client.end()
  }
}

/** Does `work` with an installed Postgres (PG_BIN, or Debian's newest), else with that of TEST_DATABASE_URL; `null` where neither has lz4. */
export async function withLz4Server<Result>(
  work: (server: Pick<InstalledPostgres, 'url'> | null) => Promise<Result>,
): Promise<Result> {
  const bin = installedPrograms('initdb', 'postgres')
  if (bin === null) {
    const url = process.env.TEST_DATABASE_URL ?? ''
    return work(url !== '' && (await knowsLz4(url)) ? { url } : null)
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-lz4-'))
  try {
    const server = await startInstalledPostgres(bin, dataDir, settings)
    try {
      return await work((await knowsLz4(server.url)) ? server : null)
    } finally {
      await server.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
