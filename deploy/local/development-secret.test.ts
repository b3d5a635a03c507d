import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { developmentSecret } from './development-secret.js'

let dataDir = ''

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-secret-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

test('a secret is made once and kept', async () => {
  const first = await developmentSecret(dataDir, 'pepper')
  expect(first.length).toBeGreaterThanOrEqual(43)
  expect(await developmentSecret(dataDir, 'pepper')).toBe(first)
  expect(await developmentSecret(dataDir, 'other')).not.toBe(first)
})

test('nobody else may read it', async () => {
  await developmentSecret(dataDir, 'pepper')
  expect((await stat(join(dataDir, 'secrets', 'pepper'))).mode & 0o077).toBe(0)
  expect((await stat(join(dataDir, 'secrets'))).mode & 0o077).toBe(0)
})

test('fifty first askers at once get the same one, and no draft is left', async () => {
  const secrets = await Promise.all(Array.from({ length: 50 }, () => developmentSecret(dataDir, 'pepper')))
  expect(new Set(secrets).size).toBe(1)
  expect(await readdir(join(dataDir, 'secrets'))).toEqual(['pepper'])
})
