import { execFileSync, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { testPort } from './test-port.js'
import { killProcess, startTestProcess, type TestProcess } from './test-process.js'

/** A test's own Redis; it is empty after a restart. */
export interface RedisServer extends TestProcess {
  readonly url: string
  readonly port: number
  /** The id of the current process. */
  readonly pid: number
}

/** Why no Redis can be started here; `null` if one can. */
export function whyNoRedis(): string | null {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return null
  } catch {
    return 'redis-server is not on PATH; install it (Debian: apt-get install redis-server), or set TEST_REDIS_URL'
  }
}

function isUp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.setTimeout(500, () => socket.destroy())
    socket.once('data', (bytes) => {
      socket.destroy()
      // One that asks for a password is up as well.
      resolve(/^(\+PONG|-NOAUTH)/.test(bytes.toString()))
    })
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })
}

/**
 * Starts this machine's `redis-server` on a free loopback port, without persistence.
 * @param args further arguments, such as `--maxmemory 10mb`.
 */
export async function startRedisServer(args: readonly string[] = []): Promise<RedisServer> {
  const port = await testPort()
  const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  let pid = 0
  const server = await startTestProcess('redis', async (folder) => {
    const child = spawn('redis-server', [...fixed, '--dir', folder, ...args], { stdio: 'ignore' })
    for (let tries = 0; !(await isUp(port)); tries += 1) {
      if (tries === 1_000 || child.exitCode !== null) {
        await killProcess(child)
        throw new Error('redis-server does not respond')
      }
      await sleep(25)
    }
    pid = child.pid ?? 0
    return child
  })
  return {
    ...server,
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return pid
    },
  }
}
