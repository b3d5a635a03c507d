import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { type S3Access, startS3Server } from './s3-server.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** An S3-compatible store for all tests; each makes a bucket of its own in it. */
    s3: S3Access
  }
}

interface TestS3 {
  readonly access: S3Access
  stop(): Promise<void>
}

declare global {
  /** Each vitest project loads this module anew, so what they share hangs on the process. */
  var snipkeepTestS3: { users: number; readonly s3: Promise<TestS3> } | undefined
}

/** `http://key:secret@host:9000`, and the region in TEST_S3_REGION where it matters. */
function fromAddress(address: string): TestS3 {
  const url = new URL(address)
  const access = {
    endpoint: url.origin,
    region: process.env.TEST_S3_REGION ?? 'us-east-1',
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  }
  return { access, stop: async () => {} }
}

async function fromDocker(): Promise<TestS3 | null> {
  try {
    await promisify(execFile)('docker', ['info'], { timeout: 5_000 })
    const { GenericContainer, Wait } = await import('testcontainers')
    const credentials = { accessKeyId: 'snipkeep', secretAccessKey: 'snipkeep-tests' }
    const container = await new GenericContainer('minio/minio')
      .withEnvironment({
        MINIO_ROOT_USER: credentials.accessKeyId,
        MINIO_ROOT_PASSWORD: credentials.secretAccessKey,
      })
      .withExposedPorts(9000)
      .withCommand(['server', '/data'])
      .withWaitStrategy(Wait.forHttp('/minio/health/ready', 9000))
      .start()
    const endpoint = `http://${container.getHost()}:${container.getMappedPort(9000)}`
    return {
      access: { endpoint, region: 'us-east-1', ...credentials },
      stop: async () => {
        await container.stop()
      },
    }
  } catch {
    return null
  }
}

async function startTestS3(): Promise<TestS3> {
  const given = process.env.TEST_S3_URL
  if (given !== undefined && given !== '') return fromAddress(given)
  return (await fromDocker()) ?? startS3Server()
}

/**
 * Provides `s3` to the tests: the store that TEST_S3_URL names where it is set, else MinIO in a container where Docker
 * runs, else s3rver in a process of its own. One store for all projects of a run.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const entry = globalThis.snipkeepTestS3 ?? { users: 0, s3: startTestS3() }
  globalThis.snipkeepTestS3 = entry
  entry.users += 1
  project.provide('s3', (await entry.s3).access)
  return async () => {
    entry.users -= 1
    if (entry.users > 0) return
    globalThis.snipkeepTestS3 = undefined
    await (await entry.s3).stop()
  }
}
