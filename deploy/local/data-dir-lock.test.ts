import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isDataDirTaken, lockDataDir } from './data-dir-lock.js'

let place = ''

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'snipkeep-lock-'))
})
afterEach(() => rm(place, { recursive: true, force: true }))

test('a folder is made and taken by one at a time; the second is told, and may have it afterwards', async () => {
  const dataDir = join(place, 'new', 'data')
  const first = await lockDataDir(dataDir)
  await expect(lockDataDir(dataDir)).rejects.toThrow(
    /already running on .*data\. Stop it first, or set another DATA_DIR/,
  )
  await first.release()
  await (await lockDataDir(dataDir)).release()
})

test('whether a folder is taken can be asked without taking it', async () => {
  const short = join(place, 'data')
  const long = join(place, 'x'.repeat(120))
  for (const dataDir of [short, long]) {
    expect(await isDataDirTaken(dataDir)).toBe(false)
    const lock = await lockDataDir(dataDir)
    expect(await isDataDirTaken(dataDir)).toBe(true)
    await lock.release()
    expect(await isDataDirTaken(dataDir)).toBe(false)
  }
})

test('two folders do not stand in each other’s way', async () => {
  const locks = await Promise.all([lockDataDir(join(place, 'a')), lockDataDir(join(place, 'b'))])
  await Promise.all(locks.map((lock) => lock.release()))
})

test('the lock of a process that was killed holds nobody off', async () => {
  const listen = `require('node:net').createServer().listen(process.argv[1], () => console.log('held'))`
  const owner = spawn(process.execPath, ['-e', listen, join(place, 'launcher.sock')])
  await once(owner.stdout, 'data')
  await expect(lockDataDir(place)).rejects.toThrow(/already running/)
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  await (await lockDataDir(place)).release()
})

test('a path too long for a socket is locked all the same', async () => {
  const dataDir = join(place, 'x'.repeat(120))
  const first = await lockDataDir(dataDir)
  await expect(lockDataDir(dataDir)).rejects.toThrow(/already running/)
  await first.release()
})

test('a folder that cannot be made is explained', async () => {
  await writeFile(join(place, 'file'), '')
  await expect(lockDataDir(join(place, 'file', 'data'))).rejects.toThrow(/is not writable \(ENOTDIR\)/)
})
