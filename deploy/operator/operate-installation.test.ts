import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DataDirLock, lockDataDir, noteRunning } from '../launcher/data-dir.js'
import { findCommand } from './operate-installation.js'

let running: string
let empty: string
let lock: DataDirLock

beforeAll(async () => {
  running = mkdtempSync(join(tmpdir(), 'snipkeep-operator-'))
  empty = mkdtempSync(join(tmpdir(), 'snipkeep-operator-'))
  lock = await lockDataDir(running)
  await noteRunning(running, { pid: process.pid, added: { identity: { DATABASE_URL: 'of the note' } } })
})
afterAll(async () => {
  await lock.release()
  for (const folder of [running, empty]) rmSync(folder, { recursive: true })
})

it('a command of a running system gets that service’s environment', async () => {
  const { script, args, env } = await findCommand({ DATA_DIR: running, LANG: 'C' }, ['identity', 'show', 'a'])
  expect(script).toMatch(/services\/identity\/main\.js$/)
  expect(args).toEqual(['show', 'a'])
  expect(env).toMatchObject({ DATABASE_URL: 'of the note', LANG: 'C' })
})

it('a command elsewhere gets the caller’s environment', async () => {
  const { env } = await findCommand({ DATA_DIR: empty, DATABASE_URL: 'ours' }, ['content', 'show', 'a'])
  expect(env.DATABASE_URL).toBe('ours')
})

it('without a database it explains what to do, and without a command its usage', async () => {
  await expect(findCommand({ DATA_DIR: empty }, ['identity', 'show', 'a'])).rejects.toThrow(
    'set DATABASE_URL',
  )
  // Without a command, the service would start to serve.
  for (const args of [[], ['identity'], ['gateway', 'doctor']])
    await expect(findCommand({ DATA_DIR: running }, args)).rejects.toThrow('Usage')
})
