import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkStopped, nodeFinding } from './embedded-doctor.js'

test('Node 20.19 and later are accepted', () => {
  expect(['18.20.4', '20.18.1', '20.19.0', '24.1.0'].map((version) => nodeFinding(version).verdict)).toEqual([
    'problem',
    'problem',
    'ok',
    'ok',
  ])
})

test('a stopped system is checked as far as possible, and a taken port is reported with a fix', async () => {
  const squatter = createServer()
  await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve))
  const address = squatter.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-doctor-'))
  try {
    const found = await checkStopped({
      DATA_DIR: dataDir,
      PORT: String(port),
      OIDC_ISSUERS: 'x',
      PAYMENT_PROVIDER: 'none',
    })
    expect(found.map(({ check, verdict }) => [check, verdict])).toEqual([
      ['node', 'ok'],
      ['system', 'skipped'],
      ['postgres', 'ok'],
      ['port', 'problem'],
      ['disk', expect.any(String)],
    ])
    expect(found[3]?.remedy).toBe(`PORT=${port + 1000} npm start`)
  } finally {
    squatter.close()
    await rm(dataDir, { recursive: true })
  }
})

test('a configuration that the launcher rejects is reported instead', async () => {
  const found = await checkStopped({ PORT: 'x' })
  expect(found[1]).toMatchObject({ check: 'configuration', verdict: 'problem' })
})
