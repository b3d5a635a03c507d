import { credentials } from '@grpc/grpc-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openReflectionClient } from '#libs/grpc/testing/reflection-client.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system?.stop())

it('outside production each service describes its API, complete with everything it references', async () => {
  const offered = [
    ['content', ['SnippetService', 'ShareService', 'DocumentService', 'UsageService']],
    ['identity', ['AccountService', 'ApiKeyService']],
    ['activity', ['HistoryService']],
    ['tools', ['JobService']],
  ] as const
  for (const [name, services] of offered) {
    const client = openReflectionClient(system.targets[name], credentials.createInsecure())
    const listed = await client.services()
    for (const service of services) {
      const symbol = `snipkeep.${name}.v1.${service}`
      expect(listed).toContain(symbol)
      expect(await client.fileOf(symbol)).toContain(service)
    }
    expect(await client.fileOf('google.protobuf.Timestamp')).toContain('nanos')
    client.close()
  }
})
