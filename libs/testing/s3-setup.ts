import type { TestProject } from 'vitest/node'
import { type S3Access, startS3Server } from './s3-server.js'
import { inContainer, type SharedServer, shareServer } from './shared-server.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** An S3-compatible store for all tests; each creates its own bucket. */
    s3: S3Access
  }
}

interface TestS3 extends SharedServer {
  readonly access: S3Access
}

/** `http://key:secret@host:9000`, with the region in TEST_S3_REGION if it matters. */
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

function fromDocker(): Promise<TestS3 | null> {
  const credentials = { accessKeyId: 'snipkeep', secretAccessKey: 'snipkeep-tests' }
  return inContainer(
    ({ GenericContainer, Wait }) =>
      new GenericContainer('minio/minio')
        .withEnvironment({
          MINIO_ROOT_USER: credentials.accessKeyId,
          MINIO_ROOT_PASSWORD: credentials.secretAccessKey,
        })
        .withExposedPorts(9000)
        .withCommand(['server', '/data'])
        .withWaitStrategy(Wait.forHttp('/minio/health/ready', 9000))
        .start(),
    (container) => ({
      access: {
        endpoint: `http://${container.getHost()}:${container.getMappedPort(9000)}`,
        region: 'us-east-1',
        ...credentials,
      },
    }),
  )
}

async function startTestS3(): Promise<TestS3> {
  const given = process.env.TEST_S3_URL
  if (given !== undefined && given !== '') return fromAddress(given)
  return (await fromDocker()) ?? startS3Server()
}

/**
 * Provides `s3` to the tests: the store at TEST_S3_URL if it is set, else MinIO in a container if Docker
 * runs, else s3rver in a separate process. All projects of a run share one store.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, release } = await shareServer('s3', startTestS3)
  project.provide('s3', server.access)
  return release
}
