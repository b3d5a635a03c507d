import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { drilledOptions } from './harness/drilled-system.js'
import { type StartOptions, startAsUsers } from './harness/started-system.js'

/** Notes in the data folder what it got, and ends; the program that it should have run comes after it. */
const noteEnvironment = [
  process.execPath,
  '-e',
  `fs.writeFileSync(process.env.DATA_DIR + '/environment', JSON.stringify(process.env))`,
]
const marker = 'of-the-real-system'

afterEach(() => {
  vi.unstubAllEnvs()
})

test.each(['DOCUMENT_STORE', 'S3_BUCKET', 'REDIS_URL', 'STRIPE_SECRET_KEY', 'DATABASE_URL', 'OIDC_ISSUERS'])(
  'a drilled system does not inherit %s',
  async (name) => {
    vi.stubEnv(name, marker)
    const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-inherited-'))
    try {
      const environmentOf = async (options: StartOptions): Promise<string> => {
        const given = { ports: ['1', '2', '3'], command: noteEnvironment, ...options }
        await expect(startAsUsers(dataDir, given)).rejects.toThrow('could not start')
        return readFile(join(dataDir, 'environment'), 'utf8')
      }
      expect(await environmentOf({})).toContain(`"${name}":"${marker}"`)
      const drilled = await environmentOf(drilledOptions('postgres://drilled'))
      expect(drilled).toContain('"DATABASE_URL":"postgres://drilled"')
      expect(drilled).not.toContain(marker)
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  },
)
