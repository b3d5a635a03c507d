import { credentials } from '@grpc/grpc-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openReflectionClient } from '#libs/grpc/testing/reflection-client.js'
import { startSystem, type TestSystem } from './harness/system.js'

let system: TestSystem
beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system?.stop())

it('outside production each service says what it offers, whole with all that it refers to', async () => {
  const offered = [
    [system.contents[0], 'content', ['SnippetService', 'ShareService', 'DocumentService', 'UsageService']],
    [system.identities[0], 'identity', ['AccountService', 'ApiKeyService']],
    [system.activities[0], 'activity', ['HistoryService']],
  ] as const
  for (const [process, name, services] of offered) {
    const client = openReflectionClient(`127.0.0.1:${process?.port}`, credentials.createInsecure())
    const listed = await client.services()
    for (const service of services) {
      const symbol = `snipkeep.${name}.v1.${service}`
      expect(listed).toContain(symbol)
      expect(await client.fileOf(symbol)).toContain(service)
    }
    expect(await client.fileOf('google.protobuf.Timestamp')).toContain('nanos')
    expect(process?.output()).not.toContain('Could not find file')
    client.close()
  }
})
