import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { layoutOf } from '#libs/embedded-postgres/cluster.js'
import { giveTo, serverUser } from '#libs/embedded-postgres/server-user.js'
import { type InstalledPostgres, startInstalledPostgres } from '#libs/testing/installed-postgres.js'
import { runOn } from '#libs/testing/postgres-programs.js'
import { withSession } from '#libs/testing/table-digests.js'
import { until } from './until.js'

/** A server whose log is archived, so that it can be recovered to any moment after a base backup. */
export interface ArchivedServer extends InstalledPostgres {
  /** Makes a base backup. */
  backUp(): Promise<void>
  /** Starts another server from the base backup, recovered to the restore point of this name. */
  recover(moment: string): Promise<InstalledPostgres>
}

async function makeFolder(path: string): Promise<string> {
  await mkdir(path, { mode: 0o700, recursive: true })
  await giveTo(await serverUser(join(path, 'cluster')), path)
  return path
}

/** Archives the current segment of the log. */
async function archiveLog(url: string): Promise<void> {
  await withSession(url, async (client) => {
    const { rows } = await client.query<{ segment: string }>(
      'SELECT pg_walfile_name(pg_switch_wal()) AS segment',
    )
    const isArchived = async (): Promise<boolean> => {
      const { rows: archived } = await client.query<{ done: boolean }>(
        'SELECT coalesce(pg_stat_archiver.last_archived_wal >= $1, false) AS done FROM pg_stat_archiver',
        [rows[0]?.segment],
      )
      return archived[0]?.done === true
    }
    await until(isArchived, () => 'the log is not archived')
  })
}

/** Starts such a server in a folder that its user may enter, with the programs of another. */
export async function startArchivedServer(bin: string, home: string): Promise<ArchivedServer> {
  const archive = await makeFolder(join(home, 'archive'))
  const server = await startInstalledPostgres(bin, await makeFolder(join(home, 'server')), {
    archive_mode: 'on',
    archive_command: `test ! -f ${join(archive, '%f')} && cp %p ${join(archive, '%f')}`,
  })
  const copy = join(home, 'recovered')
  const { cluster, password } = layoutOf(copy)
  return {
    ...server,
    async backUp() {
      await makeFolder(copy)
      const args = ['-D', cluster, '--checkpoint=fast', '--wal-method=none', '--no-manifest']
      await runOn(bin, 'pg_basebackup', server.url, args)
    },
    async recover(moment) {
      await archiveLog(server.url)
      await writeFile(join(cluster, 'recovery.signal'), '')
      await writeFile(password, decodeURIComponent(new URL(server.url).password))
      await giveTo(await serverUser(copy), copy)
      return startInstalledPostgres(bin, copy, {
        restore_command: `cp ${join(archive, '%f')} %p`,
        recovery_target_name: moment,
        recovery_target_action: 'promote',
        archive_mode: 'off',
      })
    },
  }
}
