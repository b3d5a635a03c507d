import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nameMoment, type TableDigest, withSession } from '#libs/postgres/table-digests.js'
import type { DrillConfig } from './config.js'
import { makeCluster, makeFolder, type Site, startServer, type ThrowawayServer } from './throwaway-server.js'

/** A base backup and archived WAL, for recovery to any later point in time. */
export interface Recovery {
  nameMoment(): Promise<void>
  /** Starts a server from the backup and recovers to the named restore point. */
  recover(): Promise<{ readonly url: string; readonly then: readonly TableDigest[] }>
}

export interface DrillServer {
  /** Creates an empty database and returns its URL. */
  create(name: string): Promise<string>
  /** Makes a base backup; `null` on a server that is not ours. */
  backUp(url: string): Promise<Recovery | null>
  stop(): Promise<void>
}

const moment = 'drill'
const archiveTimeoutMs = 60_000

async function create(adminUrl: string, name: string): Promise<string> {
  await withSession(adminUrl, (client) => client.query(`CREATE DATABASE ${name}`))
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Archives the current WAL segment. */
async function archiveLog(url: string): Promise<void> {
  await withSession(url, async (client) => {
    const { rows } = await client.query<{ segment: string }>(
      'SELECT pg_walfile_name(pg_switch_wal()) AS segment',
    )
    for (const until = Date.now() + archiveTimeoutMs; Date.now() < until; await sleep(100)) {
      const { rows: archived } = await client.query<{ done: boolean }>(
        'SELECT coalesce(pg_stat_archiver.last_archived_wal >= $1, false) AS done FROM pg_stat_archiver',
        [rows[0]?.segment],
      )
      if (archived[0]?.done === true) return
    }
    throw new Error('The log was not archived in time.')
  })
}

async function backUp(site: Site, server: ThrowawayServer, archive: string, url: string) {
  const started: ThrowawayServer[] = []
  let then: readonly TableDigest[] = []
  const base = await makeFolder(site, 'base')
  const args = [
    '-D',
    base,
    '-d',
    server.urlOf('postgres'),
    '--checkpoint=fast',
    '--wal-method=none',
    '--no-manifest',
  ]
  await site.programs.run('pg_basebackup', args, site.user)
  const recovery: Recovery = {
    async nameMoment() {
      then = await nameMoment(url, moment)
    },
    async recover() {
      await archiveLog(url)
      await writeFile(join(base, 'recovery.signal'), '')
      const settings = {
        restore_command: `cp ${join(archive, '%f')} %p`,
        recovery_target_name: moment,
        recovery_target_action: 'promote',
        archive_mode: 'off',
      }
      const recovered = await startServer(site, base, settings)
      started.push(recovered)
      return { url: recovered.urlOf(new URL(url).pathname.slice(1)), then }
    },
  }
  return { recovery, stop: () => Promise.all(started.map((one) => one.stop())) }
}

async function openOwn(site: Site): Promise<DrillServer> {
  const archive = await makeFolder(site, 'archive')
  const cluster = await makeCluster(site, 'cluster')
  const server = await startServer(site, cluster, {
    wal_level: 'replica',
    archive_mode: 'on',
    archive_command: `test ! -f ${join(archive, '%f')} && cp %p ${join(archive, '%f')}`,
  })
  const stops: (() => Promise<unknown>)[] = []
  return {
    create: (name) => create(server.urlOf('postgres'), name),
    async backUp(url) {
      const { recovery, stop } = await backUp(site, server, archive, url)
      stops.push(stop)
      return recovery
    },
    async stop() {
      for (const stop of stops) await stop()
      await server.stop()
    },
  }
}

/** The server of DATABASE_URL, or a temporary one. */
export async function openDrillServer({ databaseUrl }: DrillConfig, site: Site): Promise<DrillServer> {
  if (databaseUrl === null) return openOwn(site)
  const made: string[] = []
  return {
    async create(name) {
      made.push(name)
      return create(databaseUrl, name)
    },
    backUp: async () => null,
    async stop() {
      for (const name of made)
        await withSession(databaseUrl, (client) =>
          client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
        )
    },
  }
}
