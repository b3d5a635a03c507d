import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { removeOldBundles } from './old-bundles.js'

let bundles = ''

/** Writes a file at this second. */
async function write(path: string, at: number, text = ''): Promise<void> {
  await writeFile(join(bundles, path), text)
  await utimes(join(bundles, path), at, at)
}

beforeEach(async () => {
  bundles = await mkdtemp(join(tmpdir(), 'snipkeep-bundles-'))
  await mkdir(join(bundles, 'web'))
  await write('web/main.js', 20)
  await write('web/part-old.js', 10)
  await write('web/part-new.js', 20)
})
afterEach(() => rm(bundles, { recursive: true, force: true }))

test('only what an earlier build wrote is removed', async () => {
  await write('files.json', 21, JSON.stringify(['web/main.js', 'web/part-new.js']))
  await write('web/part-of-a-build-that-goes-on.js', 30)
  await removeOldBundles(bundles)
  expect((await readdir(join(bundles, 'web'))).sort()).toEqual([
    'main.js',
    'part-new.js',
    'part-of-a-build-that-goes-on.js',
  ])
})

test('without a list nothing is removed', async () => {
  await removeOldBundles(bundles)
  expect(await readdir(join(bundles, 'web'))).toHaveLength(3)
})
