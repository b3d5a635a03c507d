import { create, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import { credentials, status } from '@grpc/grpc-js'
import { afterEach, expect, it } from 'vitest'
import { createLogger } from '../log/logger.js'
import { createTestAuthority } from '../testing/test-certificates.js'
import { type RunningServer, type ServerOptions, startGrpcServer } from './server.js'
import { bytesMethod } from './testing/bytes-method.js'
import { openReflectionClient, type ReflectionClient } from './testing/reflection-client.js'
import { openTransport, plainTransport } from './transport.js'

const unary = bytesMethod('/test.Greeter/Greet')
const handlers = {
  greet: (_call: unknown, done: (error: null, response: Buffer) => void) => done(null, Buffer.of()),
}
const other = { name: 'Other', method: [] }
const greeter = {
  name: 'Greeter',
  method: [{ name: 'Greet', inputType: '.test.Greeting', outputType: '.test.Greeting' }],
}
const file = create(FileDescriptorProtoSchema, {
  name: 'test/greeter.proto',
  package: 'test',
  syntax: 'proto3',
  messageType: [{ name: 'Greeting' }],
  service: [greeter, other],
})
const protocol = [toBinary(FileDescriptorProtoSchema, file)]

const log = createLogger('test', 'silent')
const plain = { host: '127.0.0.1', port: 0, healthPort: null, transport: plainTransport, log }
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function serve(options: Partial<ServerOptions>): Promise<RunningServer> {
  const server = await startGrpcServer({ ...plain, ...options }, [
    { definition: { greet: unary }, handlers, callers: {} },
  ])
  closing.push(() => server.stop())
  return server
}

function clientOf({ port }: RunningServer, channel = credentials.createInsecure()): ReflectionClient {
  const client = openReflectionClient(`127.0.0.1:${port}`, channel)
  closing.unshift(client.close)
  return client
}
it.each(['v1', 'v1alpha'])('a server describes its services and messages (%s)', async (version) => {
  const client = clientOf(await serve({ protocol }))
  const services = await client.services(version)
  expect(services).toContain('test.Greeter')
  expect(services).not.toContain('test.Other')
  const described = await client.fileOf('test.Greeter', version)
  expect(described).toContain('test/greeter.proto')
  expect(described).toContain('.test.Greeting')
})

it('a server without a description has no reflection', async () => {
  const client = clientOf(await serve({}))
  expect(await client.services()).toBe(status.UNIMPLEMENTED)
})

it('a server that restricts its callers has no reflection', async () => {
  const authority = createTestAuthority()
  const [content, gateway] = [authority.issue('content'), authority.issue('gateway')].map((files) =>
    openTransport(files, log),
  )
  if (content === undefined || gateway === undefined) throw new Error('two were issued')
  closing.push(content.close, gateway.close, authority.remove)
  const server = await serve({ protocol, transport: content })
  const client = clientOf(server, gateway.channelCredentials('content'))
  expect(await client.services()).toBe(status.UNIMPLEMENTED)
})
