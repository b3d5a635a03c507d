import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { testPort } from './test-port.js'
import { startTestProcess, type TestProcess } from './test-process.js'

/** The address and credentials of an S3-compatible store. */
export interface S3Access {
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** A test's own S3-compatible store; it keeps its objects across restarts. */
export interface S3Server extends TestProcess {
  readonly access: S3Access
  readonly port: number
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((done, fail) => {
    child.once('message', () => done())
    child.once('exit', () => fail(new Error('the fake S3 ended before it listened')))
    child.once('error', fail)
  })
}

/** Starts s3rver, corrected by `fake-s3.mjs`, on a free loopback port with its own folder. */
export async function startS3Server(): Promise<S3Server> {
  const port = await testPort()
  const server = await startTestProcess('s3', async (folder) => {
    const child = spawn(process.execPath, [resolve('libs/testing/fake-s3.mjs'), String(port), folder], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    await listening(child)
    return child
  })
  return {
    ...server,
    access: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
    port,
  }
}
