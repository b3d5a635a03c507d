import { expect, it } from 'vitest'
import { readConfig } from './config.js'

it('the web application needs nothing to be set', () => {
  expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 8090, contentTarget: '127.0.0.1:50051' })
})

it('it refuses to call content in plain text beyond this machine, unless that is allowed', () => {
  const env = { CONTENT_GRPC_TARGET: 'dns:///content:50051' }
  expect(() => readConfig(env)).toThrow(/CONTENT_GRPC_TARGET.*GRPC_INSECURE/)
  expect(readConfig({ ...env, GRPC_INSECURE: 'true' }).contentTarget).toBe('dns:///content:50051')
})
