import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '#libs/runtime/free-port.js'
import { migratedState } from './migrations.js'

test('a database that does not answer is not known to be migrated, and noting that says what follows', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-migrated-'))
  try {
    const url = `postgres://nobody@127.0.0.1:${await freePort()}/none`
    const state = migratedState(dataDir, { url, serving: { content: url } }, ['content'], {
      stamp: 'x',
      role: null,
    })
    expect(await state.isCurrent()).toBe(false)
    await expect(state.note()).rejects.toThrow(/ECONNREFUSED.*the next start looks for migrations again/)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
