import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, vi } from 'vitest'
import type { S3Access } from './s3-server.js'
import { testPort } from './test-port.js'
import { startTestProcess, type TestProcess } from './test-process.js'

/** The programs that it takes; Debian's packages `ceph-mon`, `ceph-osd` and `radosgw` have them all. */
export const cephPrograms = Object.fromEntries(
  ['ceph', 'ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin'].map((program) => [program, '--version']),
)

/** A Ceph of one node, which keeps everything in memory, with its gateway for S3. */
export interface Ceph {
  readonly access: S3Access
  stop(): Promise<void>
}

const credentials = { accessKeyId: 'snipkeep', secretAccessKey: 'snipkeep-tests' }

/** One copy of everything, one placement group a pool, and no wait for more changes of the cluster's map. */
const configurationOf = (folder: string, id: string, port: number): string => `
[global]
fsid = ${id}
mon_host = v2:127.0.0.1:${port}
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
keyring = ${folder}/keyring
mon_data = ${folder}/mon
osd_data = ${folder}/osd
run_dir = ${folder}
crash_dir = ${folder}
admin_socket =
log_file = ${folder}/$name.log
paxos_propose_interval = 0.01
paxos_min_wait = 0.01
osd_objectstore = memstore
memstore_device_bytes = 4294967296
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
rgw_rados_pool_pg_num_min = 1
`

/** Who may do what. */
const entities = {
  'mon.': ['mon', 'allow *'],
  'client.admin': ['mon', 'allow *', 'osd', 'allow *'],
  'osd.0': ['mon', 'allow profile osd', 'osd', 'allow *'],
} as const

/** Starts a monitor, a store in memory and the gateway; takes some seconds. */
export async function startCeph(): Promise<Ceph> {
  const [monitorPort, gatewayPort] = [await testPort(), await testPort()]
  const [id, storeId] = [randomUUID(), randomUUID()]
  let env: NodeJS.ProcessEnv = {}
  const run = (program: string, ...args: readonly string[]) =>
    promisify(execFile)(program, [...args], { env, timeout: 60_000 })
  const daemon = (program: string, ...args: readonly string[]): Promise<TestProcess> =>
    startTestProcess(program, async () => spawn(program, ['-f', ...args], { env, stdio: 'ignore' }))

  const monitor = await startTestProcess('ceph', async (folder) => {
    env = { ...process.env, CEPH_CONF: join(folder, 'ceph.conf') }
    writeFileSync(join(folder, 'ceph.conf'), configurationOf(folder, id, monitorPort))
    for (const name of ['mon', 'osd']) mkdirSync(join(folder, name))
    const [keyring, map] = [join(folder, 'keyring'), join(folder, 'monmap')]
    writeFileSync(keyring, '')
    for (const [name, caps] of Object.entries(entities)) {
      const args = caps.flatMap((cap, index) => (index % 2 === 0 ? ['--cap', cap] : [cap]))
      await run('ceph-authtool', keyring, '--gen-key', '-n', name, ...args)
    }
    await run('monmaptool', '--create', '--fsid', id, '--addv', 'a', `[v2:127.0.0.1:${monitorPort}]`, map)
    await run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring)
    return spawn('ceph-mon', ['-f', '-i', 'a'], { env, stdio: 'ignore' })
  })
  const others: TestProcess[] = []
  const stop = async (): Promise<void> => {
    for (const one of [...others.reverse(), monitor]) await one.stop()
  }
  try {
    await run('ceph', 'osd', 'new', storeId)
    await run('ceph-osd', '--mkfs', '-i', '0', '--osd-uuid', storeId)
    others.push(await daemon('ceph-osd', '-i', '0'))
    const { accessKeyId, secretAccessKey } = credentials
    const user = ['--uid', 'snipkeep', '--display-name', 'Snipkeep']
    const keys = ['--access-key', accessKeyId, '--secret-key', secretAccessKey]
    await run('radosgw-admin', 'user', 'create', ...user, ...keys)
    const frontend = `beast endpoint=127.0.0.1:${gatewayPort}`
    others.push(await daemon('radosgw', '--name', 'client.admin', '--rgw-frontends', frontend))
    const endpoint = `http://127.0.0.1:${gatewayPort}`
    const responds = async () => expect((await fetch(endpoint)).status).toBe(200)
    await vi.waitFor(responds, { interval: 100, timeout: 60_000 })
    return { access: { endpoint, region: 'us-east-1', ...credentials }, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
