import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openServiceSockets } from './service-sockets.js'

let place = ''
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'snipkeep-sockets-'))
})
afterEach(() => rm(place, { recursive: true, force: true }))

const folderOf = (address: string): string => dirname(address.slice('unix:'.length))

test('each service has an address in a folder that only this user may enter', async () => {
  const { addresses, remove } = await openServiceSockets(place)
  expect(new Set(Object.values(addresses)).size).toBe(4)
  expect(new Set(Object.values(addresses).map(folderOf))).toEqual(new Set([join(place, 'run')]))
  expect((await stat(join(place, 'run'))).mode & 0o777).toBe(0o700)
  await remove()
  expect(await readdir(place)).toEqual([])
})

test('what a run left that was killed is gone', async () => {
  await mkdir(join(place, 'run'), { mode: 0o755 })
  await writeFile(join(place, 'run', 'content.sock'), '')
  const { remove } = await openServiceSockets(place)
  expect(await readdir(join(place, 'run'))).toEqual([])
  expect((await stat(join(place, 'run'))).mode & 0o777).toBe(0o700)
  await remove()
})

test('a path too long for sockets has them among the temporary files, as private', async () => {
  const long = join(place, 'x'.repeat(100))
  await mkdir(long)
  const { addresses, remove } = await openServiceSockets(long)
  const folder = folderOf(addresses.content)
  expect(dirname(folder)).toBe(tmpdir())
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect(await readdir(long)).toEqual([])
  await remove()
  await expect(stat(folder)).rejects.toThrow(/ENOENT/)
})
