import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type DataDirLock,
  developmentSecret,
  forgetRunning,
  hasNoted,
  isDataDirTaken,
  lockDataDir,
  noteFacts,
  noteRunning,
  readRunning,
} from './data-dir.js'

describe('the lock', () => {
  let place = ''

  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'snipkeep-lock-'))
  })
  afterEach(() => rm(place, { recursive: true, force: true }))

  test('a folder is created and locked by one process at a time; a second one gets an error, and can lock it afterwards', async () => {
    const dataDir = join(place, 'new', 'data')
    const first = await lockDataDir(dataDir)
    await expect(lockDataDir(dataDir)).rejects.toThrow(
      /already running on .*data\. Stop it first, or set another DATA_DIR/,
    )
    await first.release()
    await (await lockDataDir(dataDir)).release()
  })

  test('a lock can be queried without taking it', async () => {
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

  test('two folders don’t conflict', async () => {
    const locks = await Promise.all([lockDataDir(join(place, 'a')), lockDataDir(join(place, 'b'))])
    await Promise.all(locks.map((lock) => lock.release()))
  })

  test('the lock of a killed process is released', async () => {
    const listen = `require('node:net').createServer().listen(process.argv[1], () => console.log('held'))`
    const owner = spawn(process.execPath, ['-e', listen, join(place, 'launcher.sock')])
    await once(owner.stdout, 'data')
    await expect(lockDataDir(place)).rejects.toThrow(/already running/)
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    await (await lockDataDir(place)).release()
  })

  test('a path too long for a socket can be locked too', async () => {
    const dataDir = join(place, 'x'.repeat(120))
    const first = await lockDataDir(dataDir)
    await expect(lockDataDir(dataDir)).rejects.toThrow(/already running/)
    await first.release()
  })

  test('a folder that cannot be created is explained', async () => {
    await writeFile(join(place, 'file'), '')
    await expect(lockDataDir(join(place, 'file', 'data'))).rejects.toThrow(/is not writable \(ENOTDIR\)/)
  })
})

describe('the note of a running system', () => {
  let dataDir = ''
  let lock: DataDirLock
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-note-'))
    lock = await lockDataDir(dataDir)
  })
  afterEach(async () => {
    await lock.release()
    await rm(dataDir, { recursive: true, force: true })
  })

  const note = { pid: process.pid, added: { content: { DATABASE_URL: 'postgres://x:secret@h/d' } } }

  test('is readable by its owner only', async () => {
    await noteRunning(dataDir, note)
    expect(await readRunning(dataDir)).toEqual(note)
    expect((await stat(join(dataDir, 'running.json'))).mode & 0o777).toBe(0o600)
  })

  test('is gone after a stop or a killed launcher', async () => {
    expect(await readRunning(dataDir)).toBeNull()
    await noteRunning(dataDir, { ...note, pid: 2 ** 22 + 1 })
    expect(await readRunning(dataDir)).toBeNull()
    await noteRunning(dataDir, note)
    await forgetRunning(dataDir)
    expect(await readRunning(dataDir)).toBeNull()
  })

  test('of a killed launcher does not match a process that reuses its pid', async () => {
    await noteRunning(dataDir, note)
    await lock.release()
    expect(await readRunning(dataDir)).toBeNull()
  })

  test('of another launcher is not deleted', async () => {
    const other = { ...note, pid: process.ppid }
    await noteRunning(dataDir, other)
    await forgetRunning(dataDir)
    expect(await readRunning(dataDir)).toEqual(other)
  })

  test('that is damaged counts as absent', async () => {
    for (const text of ['{', '[]', '{"pid":1}', '{"pid":1,"added":{"content":{"A":1}}}']) {
      await writeFile(join(dataDir, 'running.json'), text)
      expect(await readRunning(dataDir)).toBeNull()
    }
  })
})

test('the note of development users is of one database, issuer and sandbox', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-users-'))
  try {
    const installation = [null, 'http://localhost:8081', 'http://localhost:8082']
    expect(await hasNoted(dataDir, 'development-users', installation)).toBe(false)
    await noteFacts(dataDir, 'development-users', installation)
    expect(await hasNoted(dataDir, 'development-users', installation)).toBe(true)
    expect(await hasNoted(dataDir, 'development-users', ['postgres://other', ...installation.slice(1)])).toBe(
      false,
    )
    expect(await hasNoted(dataDir, 'development-users', [...installation.slice(0, 2), null])).toBe(false)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

describe('a development secret', () => {
  let dataDir = ''

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-secret-'))
  })
  afterEach(() => rm(dataDir, { recursive: true, force: true }))

  test('is created once and kept', async () => {
    const first = await developmentSecret(dataDir, 'pepper')
    expect(first.length).toBeGreaterThanOrEqual(43)
    expect(await developmentSecret(dataDir, 'pepper')).toBe(first)
    expect(await developmentSecret(dataDir, 'other')).not.toBe(first)
  })

  test('is readable by its owner only', async () => {
    await developmentSecret(dataDir, 'pepper')
    expect((await stat(join(dataDir, 'secrets', 'pepper'))).mode & 0o077).toBe(0)
    expect((await stat(join(dataDir, 'secrets'))).mode & 0o077).toBe(0)
  })

  test('is the same for fifty concurrent first readers, and leaves no draft', async () => {
    const secrets = await Promise.all(Array.from({ length: 50 }, () => developmentSecret(dataDir, 'pepper')))
    expect(new Set(secrets).size).toBe(1)
    expect(await readdir(join(dataDir, 'secrets'))).toEqual(['pepper'])
  })
})
