import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '../runtime/free-port.js'

/** How an S3-compatible store is reached. */
export interface S3Access {
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** An S3-compatible store of a test's own, which it may stop, freeze and start again. */
export interface S3Server {
  readonly access: S3Access
  readonly port: number
  /** Ends it as a crash does. */
  kill(): Promise<void>
  /** Stops it from doing anything, as if its machine had come to a halt. */
  freeze(): void
  thaw(): void
  /** Starts it anew on the same port, with the objects that it had, after `kill`. */
  restart(): Promise<void>
  stop(): Promise<void>
}

function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((done) => child.once('exit', () => done()))
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((done, fail) => {
    child.once('message', () => done())
    child.once('exit', () => fail(new Error('the S3 stand-in ended before it listened')))
    child.once('error', fail)
  })
}

/** Starts s3rver, set right by `s3-stand-in.mjs`, on a free port of loopback, with its objects in a folder of its own. */
export async function startS3Server(): Promise<S3Server> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'snipkeep-s3-'))
  let child: ChildProcess | undefined

  const start = async (): Promise<void> => {
    child = spawn(process.execPath, [resolve('libs/testing/s3-stand-in.mjs'), String(port), folder], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    await listening(child)
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
    access: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
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
