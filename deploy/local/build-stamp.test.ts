import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

interface BuildStamp {
  sourceStamp(root: string): string
  builtStamp(root: string): string | null
  forgetBuild(root: string): void
  noteBuild(root: string, stamp: string): void
}

const { sourceStamp, builtStamp, forgetBuild, noteBuild }: BuildStamp = await import(
  new URL('./build-stamp.mjs', import.meta.url).href
)

let root = ''
const source = (): string => join(root, 'gateway', 'main.ts')

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'snipkeep-stamp-'))
  for (const folder of ['proto', 'gateway', 'services', 'shared', 'libs', 'deploy', 'dist'])
    await mkdir(join(root, folder), { recursive: true })
  for (const name of [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'gateway/main.ts',
  ])
    await writeFile(join(root, name), '{}')
})
afterEach(() => rm(root, { recursive: true, force: true }))

test('nothing changed, nothing is stale', () => {
  noteBuild(root, sourceStamp(root))
  expect(builtStamp(root)).toBe(sourceStamp(root))
})

test.each([
  ['another size', () => writeFile(source(), '{ }')],
  ['another time, older ones too', () => utimes(source(), 1_000, 1_000)],
  ['a new file', () => writeFile(join(root, 'libs', 'new.ts'), '')],
  ['a removed file', () => rm(source())],
  ['another setting', () => writeFile(join(root, 'tsconfig.json'), '{"a":1}')],
])('%s makes the build stale', async (_what, change) => {
  const before = sourceStamp(root)
  await change()
  expect(sourceStamp(root)).not.toBe(before)
})

test('tests are not part of the build', async () => {
  const before = sourceStamp(root)
  await writeFile(join(root, 'libs', 'new.test.ts'), '')
  expect(sourceStamp(root)).toBe(before)
})

test('a build that was never finished has no stamp', () => {
  expect(builtStamp(root)).toBeNull()
  noteBuild(root, 'x')
  forgetBuild(root)
  expect(builtStamp(root)).toBeNull()
})
