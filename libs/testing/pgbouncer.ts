import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe } from 'vitest'
import { testPort } from './test-port.js'
import { killProcess, startTestProcess } from './test-process.js'

const shown = /(\d+)\.(\d+)/.exec(spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' }).stdout ?? '')

/** The version of PgBouncer as one number, such as 118 for 1.18; `null` if there is none. */
export const pgbouncerVersion = shown === null ? null : Number(shown[1]) * 100 + Number(shown[2])

/** Tests that start a PgBouncer; without one they are reported as skipped, with the reason. */
export function describeWithPgbouncer(name: string, cases: () => void): void {
  const reason = '(needs PgBouncer)'
  describe.runIf(pgbouncerVersion !== null)(pgbouncerVersion === null ? `${name} ${reason}` : name, cases)
}

/** A pooler in front of a database. */
export interface Pgbouncer {
  /** The address of the database through it, for one of the logins. */
  urlFor(login: string): string
  stop(): Promise<void>
}

/** A login with its password. */
export type Login = readonly [name: string, password: string]

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** Starts PgBouncer with its defaults on a loopback port. */
export async function startPgbouncer(
  mode: 'session' | 'transaction',
  databaseUrl: string,
  logins: readonly Login[],
): Promise<Pgbouncer> {
  const { hostname, port: serverPort, pathname } = new URL(databaseUrl)
  const port = await testPort()
  const { stop } = await startTestProcess('pgbouncer', async (folder) => {
    const [users, config] = [join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')]
    writeFileSync(users, logins.map(([name, password]) => `"${name}" "${password}"\n`).join(''))
    const settings = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      auth_type: 'plain',
      auth_file: users,
      pool_mode: mode,
    }
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
    const database = `* = host=${hostname} port=${serverPort === '' ? 5432 : serverPort}`
    writeFileSync(config, ['[databases]', database, '[pgbouncer]', ...lines].join('\n'))
    // It refuses to run as root.
    const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
    chmodSync(folder, 0o755)
    const child = spawn('pgbouncer', ['-q', ...asUser, config], { stdio: 'ignore' })
    for (let tries = 0; !(await isOpen(port)); tries += 1) {
      if (tries === 1_000 || child.exitCode !== null) {
        await killProcess(child)
        throw new Error('PgBouncer does not respond')
      }
      await sleep(25)
    }
    return child
  })
  return {
    urlFor: (login) =>
      `postgres://${login}:${logins.find(([name]) => name === login)?.[1] ?? ''}@127.0.0.1:${port}${pathname}`,
    stop,
  }
}
