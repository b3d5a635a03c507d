import { describe, expect, it } from 'vitest'
import { readConfig } from './config.js'

const needed = { DATABASE_URL: 'postgres://127.0.0.1/test' }

describe('the configuration of content', () => {
  it('needs nothing but a database', () => {
    expect(readConfig(needed)).toMatchObject({
      grpc: { host: '127.0.0.1', port: 50_051, healthPort: null },
      database: { schema: 'content', role: 'snipkeep_content' },
      plans: { free: { snippets: 15 }, pro: { snippets: null } },
    })
  })

  it('keeps the purge within the hour: its three times together may not exceed it', () => {
    const times = { CONTENT_PURGE_INTERVAL_MS: '600000', CONTENT_SWEEP_INTERVAL_MS: '600000' }
    expect(() => readConfig({ ...needed, ...times, CONTENT_ORPHAN_GRACE_MS: '2400000' })).not.toThrow()
    expect(() => readConfig({ ...needed, ...times, CONTENT_ORPHAN_GRACE_MS: '2400001' })).toThrow(
      /CONTENT_ORPHAN_GRACE_MS/,
    )
  })

  it('refuses to listen in plain text beyond this machine', () => {
    expect(() => readConfig({ ...needed, GRPC_HOST: '0.0.0.0' })).toThrow(/GRPC_INSECURE/)
  })
})
