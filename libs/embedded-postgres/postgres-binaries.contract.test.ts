import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findNativeFolder, type NativeFolder, preparePostgresBinaries } from './postgres-binaries.js'
import { serverUser } from './server-user.js'

let place = ''
let native: NativeFolder

/** A fake package: its `postgres` runs only where the link to its library exists. */
async function writePackage(): Promise<void> {
  const path = join(place, 'package', 'native')
  for (const folder of ['bin', 'lib', 'share']) await mkdir(join(path, folder), { recursive: true })
  await writeFile(
    join(path, 'bin', 'postgres'),
    '#!/bin/sh\nexec cat "$(dirname "$0")/../lib/libpq.so.5"\n',
    {
      mode: 0o755,
    },
  )
  await writeFile(join(path, 'lib', 'libpq.so.5.18'), 'the library')
  await writeFile(join(path, 'lib', 'libpq.a'), 'only needed to compile')
  await writeFile(
    join(path, 'pg-symlinks.json'),
    JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]),
  )
  native = { path, version: '18.4.0' }
}

const prepare = async () => preparePostgresBinaries(native, await serverUser(place), join(place, 'copies'))

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'snipkeep-binaries-'))
  await chmod(place, 0o755)
  await writePackage()
})

afterEach(async () => {
  for (const folder of ['package', 'package/native', 'package/native/lib'])
    await chmod(join(place, folder), 0o755)
  await rm(place, { recursive: true, force: true })
})

test('links that npm cannot ship are created in the package, and reused', async () => {
  const expected = join(native.path, 'bin', 'postgres')
  expect((await prepare()).postgres).toBe(expected)
  expect(await readdir(join(native.path, 'lib'))).toContain('libpq.so.5')
  expect((await prepare()).postgres).toBe(expected)
})

/** Root writes everywhere but hands the server to another user, who is locked out; others cannot write the links. */
async function lockPackage(): Promise<void> {
  const isRoot = process.getuid?.() === 0
  await chmod(isRoot ? join(place, 'package') : join(native.path, 'lib'), isRoot ? 0o700 : 0o555)
}

test('a package where the server cannot run is copied once, without development files', async () => {
  await lockPackage()
  const copy = join(place, 'copies', 'postgres-18.4.0', 'native')
  expect((await prepare()).postgres).toBe(join(copy, 'bin', 'postgres'))
  expect(await readdir(join(copy, 'lib'))).toEqual(['libpq.so.5', 'libpq.so.5.18'])
  expect((await prepare()).postgres).toBe(join(copy, 'bin', 'postgres'))
  expect(await readdir(join(place, 'copies'))).toEqual(['postgres-18.4.0'])
})

test('the server can enter a copy whatever the umask, even one that was private before', async () => {
  await lockPackage()
  const copies = join(place, 'copies')
  const postgres = join(copies, 'postgres-18.4.0', 'native', 'bin', 'postgres')
  const umask = process.umask(0o077)
  try {
    expect((await prepare()).postgres).toBe(postgres)
  } finally {
    process.umask(umask)
  }
  await chmod(copies, 0o700)
  expect((await prepare()).postgres).toBe(postgres)
  expect((await stat(copies)).mode & 0o777).toBe(0o755)
})

test('a copy that others may have changed is not executed', async () => {
  const bin = join(place, 'copies', 'postgres-18.4.0', 'native', 'bin')
  await mkdir(bin, { recursive: true })
  await writeFile(join(bin, 'postgres'), '#!/bin/sh\n', { mode: 0o755 })
  await chmod(join(place, 'copies', 'postgres-18.4.0'), 0o777)
  await rm(join(native.path, 'bin', 'postgres'))
  await expect(prepare()).rejects.toThrow(/cannot be executed on this system.*DATABASE_URL/)
})

test('a package that is not installed is reported, with how to install it if possible', async () => {
  const other = process.platform === 'linux' ? 'darwin' : 'linux'
  await expect(findNativeFolder(other, 'arm64')).rejects.toThrow(/run npm ci.* or set DATABASE_URL/)
  await expect(findNativeFolder('sunos', 'sparc')).rejects.toThrow(
    /no embedded Postgres for sunos-sparc.*not installed\); set DATABASE_URL/,
  )
})
