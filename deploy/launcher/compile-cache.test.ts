import { chmod, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { compileCacheIn, withCompileCache } from './compile-cache.js'

let dataDir = ''
const cache = (): string => join(dataDir, 'cache')

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-cache-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(dataDir, { recursive: true, force: true })
})

test('compiled code is kept in the data folder, unless the operator names another', () => {
  expect(withCompileCache({ PORT: '1' }, dataDir)).toEqual({ PORT: '1', NODE_COMPILE_CACHE: cache() })
  expect(withCompileCache({ NODE_COMPILE_CACHE: '/tmp/c' }, dataDir)).toEqual({
    NODE_COMPILE_CACHE: '/tmp/c',
  })
})

test('compiled code is kept until the build is another', async () => {
  expect(compileCacheIn(dataDir, 'one')).toBe(cache())
  await writeFile(join(cache(), 'compiled'), '')
  expect(compileCacheIn(dataDir, 'one')).toBe(cache())
  expect(await readdir(cache())).toContain('compiled')
  expect(compileCacheIn(dataDir, 'two')).toBe(cache())
  expect(await readdir(cache())).not.toContain('compiled')
})

test('code that another user may have compiled is not run', () => {
  compileCacheIn(dataDir, 'one')
  const uid = process.getuid?.() ?? 0
  vi.spyOn(process, 'getuid').mockReturnValue(uid + 1)
  expect(compileCacheIn(dataDir, 'one')).toBeNull()
  expect(withCompileCache({ PORT: '1' }, dataDir)).toEqual({ PORT: '1' })
})

test.each([
  ['the group may write to the folder', () => chmod(cache(), 0o770)],
  ['everyone may write to the folder', () => chmod(cache(), 0o702)],
  ['everyone may write to the data folder', () => chmod(dataDir, 0o777)],
  [
    'it is a link',
    async () => {
      await rename(cache(), join(dataDir, 'elsewhere'))
      await symlink(join(dataDir, 'elsewhere'), cache())
    },
  ],
  ['there is no data folder', () => rm(dataDir, { recursive: true })],
])('compiled code is neither kept nor run where %s', async (_why, change) => {
  await mkdir(cache())
  await change()
  expect(compileCacheIn(dataDir, 'one')).toBeNull()
  expect(compileCacheIn(dataDir, null)).toBeNull()
})
