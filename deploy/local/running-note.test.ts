import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DataDirLock, lockDataDir } from './data-dir-lock.js'
import { forgetRunning, noteRunning, readRunning } from './running-note.js'

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

test('what runs is read back, by its owner alone', async () => {
  await noteRunning(dataDir, note)
  expect(await readRunning(dataDir)).toEqual(note)
  expect((await stat(join(dataDir, 'running.json'))).mode & 0o777).toBe(0o600)
})

test('after a stop, or a launcher that was killed, nothing runs', async () => {
  expect(await readRunning(dataDir)).toBeNull()
  await noteRunning(dataDir, { ...note, pid: 2 ** 22 + 1 })
  expect(await readRunning(dataDir)).toBeNull()
  await noteRunning(dataDir, note)
  await forgetRunning(dataDir)
  expect(await readRunning(dataDir)).toBeNull()
})

test('a process that has the number of a killed launcher is not taken for it', async () => {
  await noteRunning(dataDir, note)
  await lock.release()
  expect(await readRunning(dataDir)).toBeNull()
})

test('the note of another launcher is not ours to forget', async () => {
  const other = { ...note, pid: process.ppid }
  await noteRunning(dataDir, other)
  await forgetRunning(dataDir)
  expect(await readRunning(dataDir)).toEqual(other)
})

test('a note that is damaged counts as none', async () => {
  for (const text of ['{', '[]', '{"pid":1}', '{"pid":1,"added":{"content":{"A":1}}}']) {
    await writeFile(join(dataDir, 'running.json'), text)
    expect(await readRunning(dataDir)).toBeNull()
  }
})
