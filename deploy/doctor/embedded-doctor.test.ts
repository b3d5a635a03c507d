import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkStopped, nodeFinding } from './embedded-doctor.js'

test.each([
  ['18.20.4', 'problem'],
  ['20.18.1', 'problem'],
  ['20.19.0', 'warning'],
  ['20.19.1', 'warning'],
  ['20.19.2', 'ok'],
  ['20.20.0', 'ok'],
  ['22.0.0', 'ok'],
  ['24.1.0', 'ok'],
])('Node %s is a %s', (version, verdict) => {
  expect(nodeFinding(version).verdict).toBe(verdict)
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
      ['node', nodeFinding(process.versions.node).verdict],
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
