import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { readVariables } from '../config/read-variables.js'
import { createLogger } from '../log/logger.js'
import { openPeerTransport } from './open-peer-transport.js'
import { peerConfig, peerVariables } from './peer-config.js'

function warnings(env: Readonly<Record<string, string>>): string {
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const config = peerConfig(readVariables(peerVariables, env))
  openPeerTransport(config, createLogger('content', 'warn', destination)).close()
  return lines.join('')
}

it('plain text between processes is a warning in production, at every start', () => {
  const output = warnings({ NODE_ENV: 'production', GRPC_INSECURE: 'true' })
  expect(output).toContain('GRPC_INSECURE is true in production')
  expect(output).toContain('"level":"warn"')
})

it('there is no warning in development, nor without plain text', () => {
  expect(warnings({ NODE_ENV: 'development', GRPC_INSECURE: 'true' })).toBe('')
  expect(warnings({ NODE_ENV: 'production' })).toBe('')
})
