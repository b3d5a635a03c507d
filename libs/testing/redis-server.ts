import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../runtime/free-port.js'

/** A Redis of a test's own, which it may stop, freeze and start again. */
export interface RedisServer {
  readonly url: string
  readonly port: number
  /** Ends it as a crash does. */
  kill(): Promise<void>
  /** Stops it from doing anything, as if its machine had come to a halt. */
  freeze(): void
  thaw(): void
  /** Starts it anew, empty, on the same port, after `kill`. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Why no Redis can be started here; `null` when one can. */
export function whyNoRedis(): string | null {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return null
  } catch {
    return 'redis-server is not on PATH; install it (Debian: apt-get install redis-server), or set TEST_REDIS_URL'
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.setTimeout(500, () => socket.destroy())
    socket.once('data', (bytes) => {
      socket.destroy()
      // One that asks for a password is there as well.
      resolve(/^(\+PONG|-NOAUTH)/.test(bytes.toString()))
    })
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })
}

function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => child.once('exit', () => resolve()))
}

/**
 * Starts the `redis-server` of this machine on a free port of loopback, with nothing kept on disk.
 * @param args further arguments, such as `--maxmemory 10mb`.
 */
export async function startRedisServer(args: readonly string[] = []): Promise<RedisServer> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'snipkeep-redis-'))
  const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  let child: ChildProcess | undefined

  const start = async (): Promise<void> => {
    child = spawn('redis-server', [...fixed, '--dir', folder, ...args], { stdio: 'ignore' })
    for (let tries = 0; !(await answers(port)); tries += 1) {
      if (tries === 200 || child.exitCode !== null) {
        await end()
        throw new Error('redis-server does not answer')
      }
      await sleep(25)
    }
  }
  const end = async (): Promise<void> => {
    if (child === undefined) return
    child.kill('SIGKILL')
    await gone(child)
  }

  // A test run that ends early leaves nothing running.
  process.once('exit', () => child?.kill('SIGKILL'))
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill: end,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    restart: start,
    async stop() {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
