import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ChannelCredentials,
  Client,
  credentials,
  type ServiceError,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../log/logger.js'
import { createTestAuthority, type TestAuthority } from '../testing/test-certificates.js'
import { testPort } from '../testing/test-port.js'
import type { CertificateFiles } from './certificate-files.js'
import { healthClient } from './health-client.js'
import { type RunningServer, startGrpcServer } from './server.js'
import { bytesMethod } from './testing/bytes-method.js'
import { openTransport, plainTransport, type Transport } from './transport.js'

let logged = ''
const log = createLogger('test', 'info', {
  write(line) {
    logged += line
  },
})
/** Short, for tests that wait for a check. */
const checkIntervalMs = 20
const same = (bytes: Buffer): Buffer => bytes

const definition = {
  unary: bytesMethod('/test.Kinds/Unary'),
  upload: bytesMethod('/test.Kinds/Upload', { request: true }),
  download: bytesMethod('/test.Kinds/Download', { response: true }),
}

type Kind = keyof typeof definition
const kinds: readonly Kind[] = ['unary', 'upload', 'download']

/** The name of the resulting status; `OK` on success. */
function call(client: Client, kind: Kind): Promise<string> {
  const { path } = definition[kind]
  const options = { deadline: Date.now() + 20_000 }
  return new Promise((resolve) => {
    const done = (error: ServiceError | null): void => resolve(error === null ? 'OK' : statusName(error.code))
    const hello = Buffer.from('hello')
    if (kind === 'unary') client.makeUnaryRequest(path, same, same, hello, options, done)
    if (kind === 'upload') client.makeClientStreamRequest(path, same, same, options, done).end(hello)
    if (kind === 'download') {
      const stream = client.makeServerStreamRequest(path, same, same, hello, options)
      stream.on('error', (error: ServiceError) => done(error))
      stream.on('end', () => done(null))
      stream.resume()
    }
  })
}

function statusName(code: number): string {
  return (
    { 4: 'DEADLINE_EXCEEDED', 7: 'PERMISSION_DENIED', 14: 'UNAVAILABLE', 16: 'UNAUTHENTICATED' }[code] ??
    `status ${code}`
  )
}

let ours: TestAuthority
let others: TestAuthority
let contentFiles: CertificateFiles
let entered = 0
const handlers: UntypedServiceImplementation = {
  unary: (_call: unknown, callback: (error: null, response: Buffer) => void) => {
    entered += 1
    callback(null, Buffer.from('hello'))
  },
  upload: (stream: NodeJS.ReadableStream, callback: (error: null, response: Buffer) => void) => {
    entered += 1
    stream.resume()
    stream.on('end', () => callback(null, Buffer.from('hello')))
  },
  download: (stream: { end(): void }) => {
    entered += 1
    stream.end()
  },
} as unknown as UntypedServiceImplementation

const callers = { unary: ['gateway'], upload: ['gateway'], download: ['gateway', 'web'] }
const open: { close(): void }[] = []
let server: RunningServer
let serving: Transport

async function serve(files: CertificateFiles, healthPort: number | null = null): Promise<RunningServer> {
  serving = openTransport(files, log, checkIntervalMs)
  open.push(serving)
  const options = { host: '127.0.0.1', port: 0, healthPort, transport: serving, log }
  return startGrpcServer(options, [{ definition, handlers, callers }])
}

function transportOf(files: CertificateFiles): Transport {
  const transport = openTransport(files, log)
  open.push(transport)
  return transport
}

function clientWith(channel: ChannelCredentials, port = server.port): Client {
  const client = new Client(`127.0.0.1:${port}`, channel)
  open.push(client)
  return client
}

async function statuses(channel: ChannelCredentials): Promise<Record<Kind, string>> {
  const client = clientWith(channel)
  const found = await Promise.all(kinds.map(async (kind) => [kind, await call(client, kind)] as const))
  return Object.fromEntries(found) as Record<Kind, string>
}

beforeAll(() => {
  ours = createTestAuthority()
  others = createTestAuthority('another authority')
  contentFiles = ours.issue('content')
})
afterAll(() => {
  ours.remove()
  others.remove()
})
beforeEach(async () => {
  entered = 0
  logged = ''
  server = await serve(contentFiles)
})
afterEach(async () => {
  for (const one of open.splice(0)) one.close()
  await server.stop()
})

const unreached = { unary: 'UNAVAILABLE', upload: 'UNAVAILABLE', download: 'UNAVAILABLE' }

describe('mutual TLS between processes', () => {
  it('lets a process make its allowed calls only', async () => {
    const gateway = transportOf(ours.issue('gateway'))
    expect(await statuses(gateway.channelCredentials('content'))).toEqual({
      unary: 'OK',
      upload: 'OK',
      download: 'OK',
    })
    expect(entered).toBe(3)
    const web = transportOf(ours.issue('web'))
    expect(await statuses(web.channelCredentials('content'))).toEqual({
      unary: 'PERMISSION_DENIED',
      upload: 'PERMISSION_DENIED',
      download: 'OK',
    })
    expect(entered).toBe(4)
    const billing = transportOf(ours.issue('billing'))
    const refused = 'PERMISSION_DENIED'
    expect(await statuses(billing.channelCredentials('content'))).toEqual({
      unary: refused,
      upload: refused,
      download: refused,
    })
    expect(entered).toBe(4)
  })

  it('rejects a missing, foreign or expired certificate before any handler', async () => {
    const anonymous = credentials.createSsl(readFileSync(ours.caFile), null, null, {
      checkServerIdentity: () => undefined,
    })
    expect(await statuses(anonymous)).toEqual(unreached)
    expect(await statuses(credentials.createInsecure())).toEqual(unreached)
    const stranger = others.issue('gateway')
    expect(
      await statuses(transportOf({ ...stranger, caFile: ours.caFile }).channelCredentials('content')),
    ).toEqual(unreached)
    const ended = ours.issue('late', { subjectAltName: 'URI:spiffe://snipkeep/gateway', days: -1 })
    expect(await statuses(transportOf(ended).channelCredentials('content'))).toEqual(unreached)
    expect(entered).toBe(0)
  })

  it('rejects a certificate without a process name', async () => {
    const unnamed = ours.issue('unnamed', { subjectAltName: 'DNS:gateway,URI:spiffe://elsewhere/gateway' })
    const unauthenticated = 'UNAUTHENTICATED'
    expect(await statuses(transportOf(unnamed).channelCredentials('content'))).toEqual({
      unary: unauthenticated,
      upload: unauthenticated,
      download: unauthenticated,
    })
    expect(entered).toBe(0)
  })

  it('rejects a server that is another process', async () => {
    const gateway = transportOf(ours.issue('gateway'))
    expect(await statuses(gateway.channelCredentials('identity'))).toEqual(unreached)
    expect(entered).toBe(0)
  })

  it('reports when its certificate expires', () => {
    const left = (serving.expiresAt()?.getTime() ?? 0) - Date.now()
    expect(left).toBeGreaterThan(23 * 3_600_000)
    expect(left).toBeLessThan(25 * 3_600_000)
    expect(plainTransport.expiresAt()).toBeNull()
  })

  it('does not start with files that do not match', () => {
    const foreign = others.issue('content')
    expect(() => openTransport({ ...contentFiles, keyFile: foreign.keyFile }, log)).toThrow(
      /GRPC_TLS_KEY_FILE/,
    )
    expect(() => openTransport({ ...contentFiles, caFile: '/nowhere/ca.crt' }, log)).toThrow(
      /GRPC_TLS_CA_FILE/,
    )
  })

  it('serves health checks in plain text on a separate port, and nothing else', async () => {
    await server.stop()
    const port = await testPort()
    server = await serve(contentFiles, port)
    const probe = healthClient(`127.0.0.1:${port}`, credentials.createInsecure())
    open.push(probe)
    expect(await probe.isServing(2_000)).toBe(true)
    expect(await call(clientWith(credentials.createInsecure(), port), 'unary')).toBe('status 12')
    server.unready()
    expect(await probe.isServing(2_000)).toBe(false)
    expect(entered).toBe(0)
  })
})

describe('certificates that are replaced while processes run', () => {
  let folder: string
  const install = (files: CertificateFiles, ca: string): void => {
    copyFileSync(files.certFile, join(folder, 'tls.crt'))
    copyFileSync(files.keyFile, join(folder, 'tls.key'))
    writeFileSync(join(folder, 'ca.crt'), ca)
  }
  const placed = (): CertificateFiles => ({
    caFile: join(folder, 'ca.crt'),
    certFile: join(folder, 'tls.crt'),
    keyFile: join(folder, 'tls.key'),
  })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'snipkeep-rotation-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('are reloaded without a failed call, incomplete sets are ignored, and the old authority is rejected', async () => {
    const [oldCa, newCa] = [readFileSync(ours.caFile, 'utf8'), readFileSync(others.caFile, 'utf8')]
    install(contentFiles, oldCa)
    await server.stop()
    server = await serve(placed())
    const oldGateway = transportOf(ours.issue('gateway'))
    const calls = async (transport: Transport, count: number): Promise<readonly string[]> => {
      const found: string[] = []
      // A separate channel for each call, so that each has its own handshake.
      for (let done = 0; done < count; done += 1) {
        const client = new Client(`127.0.0.1:${server.port}`, transport.channelCredentials('content'), {
          'grpc.use_local_subchannel_pool': 1,
        })
        found.push(await call(client, 'unary'))
        client.close()
      }
      return [...new Set(found)]
    }
    expect(await calls(oldGateway, 3)).toEqual(['OK'])

    const untilLogged = (message: string): Promise<void> => expect.poll(() => logged).toContain(message)
    // Half a set: another certificate's key.
    copyFileSync(others.issue('content').keyFile, join(folder, 'tls.key'))
    await untilLogged('new certificates are invalid')
    expect(await calls(oldGateway, 3)).toEqual(['OK'])

    // Both authorities are trusted while certificates are replaced one by one.
    install(contentFiles, `${oldCa}${newCa}`)
    await untilLogged('certificates reloaded')
    const bundle = join(folder, 'bundle.crt')
    writeFileSync(bundle, `${oldCa}${newCa}`)
    const newGateway = transportOf({ ...others.issue('gateway'), caFile: bundle })
    expect(await calls(oldGateway, 3)).toEqual(['OK'])
    expect(await calls(newGateway, 3)).toEqual(['OK'])

    logged = ''
    install(others.issue('content'), newCa)
    await untilLogged('certificates reloaded')
    expect(await calls(newGateway, 3)).toEqual(['OK'])
    expect(await calls(oldGateway, 1)).toEqual(['UNAVAILABLE'])
  })
})
