import { execFile } from 'node:child_process'
import { readFile, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isAlive } from '../runtime/is-alive.js'

/** The state of a running server in `postmaster.pid`. */
export interface PostmasterPid {
  readonly pid: number
  readonly port: number | null
  /** Whether it accepts connections. */
  readonly ready: boolean
}

/** Reads the text of a `postmaster.pid`; `null` while it is incomplete. */
export function parsePostmasterPid(text: string): PostmasterPid | null {
  const lines = text.split('\n').map((line) => line.trim())
  const pid = Number(lines[0])
  if (!/^\d+$/.test(lines[0] ?? '') || pid < 2) return null
  const port = Number(lines[3])
  return { pid, port: port > 0 ? port : null, ready: lines[7] === 'ready' }
}

/** The `postmaster.pid` of a cluster; `null` without one. */
export async function readPostmasterPid(cluster: string): Promise<PostmasterPid | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  return parsePostmasterPid(text)
}

/**
 * Whether this process is a Postgres of this cluster, and not another one with a reused id. A server has its cluster
 * as working directory.
 */
export async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  try {
    if (process.platform === 'linux') {
      const command = await readFile(`/proc/${pid}/comm`, 'utf8')
      return (
        command.trim() === 'postgres' && (await readlink(`/proc/${pid}/cwd`)) === (await realpath(cluster))
      )
    }
    const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'command='])
    return stdout.includes('postgres') && stdout.includes(cluster)
  } catch {
    return false
  }
}
