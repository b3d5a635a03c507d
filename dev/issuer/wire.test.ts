import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { testOnIpv6 } from '#libs/testing/test-on-ipv6.js'
import { testPort } from '#libs/testing/test-port.js'
import { readConfig } from './config.js'
import { compose } from './wire.js'

testOnIpv6(
  'when another process listens on ::1, the issuer does not start, and leaves its port',
  async () => {
    const port = await testPort()
    const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-issuer-'))
    const other = createServer().listen(port, '::1')
    await once(other, 'listening')
    const env = { DEV_ISSUER_PORT: `${port}`, DATA_DIR: dataDir, PUBLIC_BASE_URL: 'http://localhost:8080' }
    try {
      await expect(compose(readConfig(env))).rejects.toMatchObject({ code: 'EADDRINUSE' })
      other.close()
      await once(other, 'close')
      await (await compose(readConfig(env))).stop()
    } finally {
      other.close()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
)
