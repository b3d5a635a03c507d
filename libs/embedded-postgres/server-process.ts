import { type ChildProcess, spawn } from 'node:child_process'
import { open, readFile, rename, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../runtime/is-alive.js'
import { clusterSeenFromWithin, layoutOf } from './cluster.js'
import type { PostgresBinaries } from './postgres-binaries.js'
import { isServerOf, readPostmasterPid } from './postmaster-pid.js'
import { programEnvironment } from './program-environment.js'
import type { ServerUser } from './server-user.js'

const logBytesMax = 10 * 1024 * 1024

/** Settings of the server: memory for a small machine, full durability. */
const defaultSettings: Readonly<Record<string, string>> = {
  shared_buffers: '64MB',
  max_connections: '100',
  wal_level: 'replica',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
}

/** A spawned server, which may not accept connections yet. */
export interface ServerProcess {
  readonly child: ChildProcess
  /** Resolves when it has exited. */
  readonly exited: Promise<void>
  /** Its log since it was spawned. */
  output(): Promise<string>
}

async function openLog(path: string): Promise<{ fd: number; size: number; close(): Promise<void> }> {
  const old = await stat(path).catch(() => null)
  if (old !== null && old.size > logBytesMax) await rename(path, `${path}.1`)
  const file = await open(path, 'a', 0o600)
  return { fd: file.fd, size: (await file.stat()).size, close: () => file.close() }
}

/** Spawns the server in its own session, so that a Ctrl-C in the terminal does not reach it before us. */
export async function spawnServer(
  dataDir: string,
  binaries: PostgresBinaries,
  user: ServerUser | null,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const layout = layoutOf(dataDir)
  const log = await openLog(layout.log)
  const all = {
    ...defaultSettings,
    ...settings,
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
  }
  const child = spawn(
    binaries.postgres,
    [
      '-D',
      clusterSeenFromWithin(layout.cluster),
      ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      cwd: layout.cluster,
      env: programEnvironment(),
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
      ...user,
    },
  )
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  await log.close()
  return {
    child,
    exited,
    output: async () => (await readFile(layout.log)).subarray(log.size).toString(),
  }
}

/**
 * A shell that stops the server if this process ends without doing so: its input closes then, however we die.
 * @returns a function that cancels it.
 */
export function stopWithUs(pid: number): () => void {
  const guard = spawn('/bin/sh', ['-c', 'read -r line; [ "$line" = off ] || kill -INT "$0"', String(pid)], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guard.on('error', () => {})
  guard.stdin.on('error', () => {})
  guard.unref()
  if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref()
  return () => guard.stdin.end('off\n')
}

async function gone(pid: number, withinMs: number): Promise<boolean> {
  for (const until = Date.now() + withinMs; Date.now() < until; await sleep(20)) {
    if (!isAlive(pid)) return true
  }
  return !isAlive(pid)
}

/**
 * Stops a server: disconnects its clients and flushes everything, or, if that takes too long, leaves it to recovery.
 */
export async function stopServer(pid: number): Promise<void> {
  const signals: [NodeJS.Signals, number][] = [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ]
  for (const [signal, withinMs] of signals) {
    if (!isAlive(pid)) return
    process.kill(pid, signal)
    if (await gone(pid, withinMs)) return
  }
}

/**
 * Stops the server that a killed run left behind in this cluster, and deletes its pid file if the id now belongs to
 * another process. Without a pid file there is nothing to do; that of a dead process is Postgres' own business.
 * @returns whether one was stopped.
 */
export async function stopOrphan(cluster: string): Promise<boolean> {
  const note = await readPostmasterPid(cluster)
  if (note === null || !isAlive(note.pid)) return false
  if (await isServerOf(note.pid, cluster)) {
    await stopServer(note.pid)
    return true
  }
  await rename(`${cluster}/postmaster.pid`, `${cluster}/postmaster.pid.stale`)
  return false
}
