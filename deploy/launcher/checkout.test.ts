import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

interface Checkout {
  whyInstall(root: string): string | null
  sourceStamp(root: string): string
  builtStamp(root: string): string | null
  forgetBuild(root: string): void
  noteBuild(root: string, stamp: string): void
}

const { whyInstall, sourceStamp, builtStamp, forgetBuild, noteBuild }: Checkout = await import(
  new URL('./checkout.mjs', import.meta.url).href
)

describe('installed packages', () => {
  let root = ''

  const lock = {
    '': { name: 'x' },
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/for-windows': { version: '1.0.0', integrity: 'sha512-w', optional: true },
  }

  const write = (path: string, packages: object): Promise<void> =>
    writeFile(join(root, path), JSON.stringify({ packages }))

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'snipkeep-installed-'))
    await mkdir(join(root, 'node_modules'))
    await write('package-lock.json', lock)
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  test('without node_modules everything is missing', () => {
    expect(whyInstall(root)).toMatch(/not installed yet/)
  })

  test('everything in the lockfile is enough; optional and extra packages don’t matter', async () => {
    await write('node_modules/.package-lock.json', {
      'node_modules/a': lock['node_modules/a'],
      'node_modules/extra': { version: '9.0.0' },
    })
    expect(whyInstall(root)).toBeNull()
  })

  test.each([
    ['a system', { os: ['sunos'] }, false],
    ['another system than this', { os: [`!${process.platform}`] }, false],
    ['a processor', { os: [process.platform], cpu: ['sparc'] }, false],
    ['this machine', { os: [process.platform, 'sunos'], cpu: [process.arch] }, true],
    ['all but one system', { os: ['!sunos'] }, true],
  ])('an installed package for %s is checked for this platform', async (_what, named, isWell) => {
    const native = { version: '1.0.0', integrity: 'sha512-n', optional: true, ...named }
    await write('package-lock.json', { ...lock, 'node_modules/@x/native': native })
    const a = lock['node_modules/a']
    await write('node_modules/.package-lock.json', { 'node_modules/a': a })
    expect(whyInstall(root)).toBeNull()
    await write('node_modules/.package-lock.json', { 'node_modules/a': a, 'node_modules/@x/native': native })
    const expected = 'The installed packages are for another platform (@x/native).'
    expect(whyInstall(root)).toBe(isWell ? null : expected)
  })

  test.each([
    ['an absent package', {}],
    ['another version', { 'node_modules/a': { version: '1.0.1', integrity: 'sha512-a' } }],
    ['other contents', { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } }],
  ])('%s is reported', async (_what, present) => {
    await write('node_modules/.package-lock.json', present)
    expect(whyInstall(root)).toMatch(/differ from package-lock\.json \(a\)/)
  })
})

describe('the stamp of a build', () => {
  let root = ''
  const source = (): string => join(root, 'gateway', 'main.ts')

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'snipkeep-stamp-'))
    for (const folder of [
      'docs',
      'proto',
      'gateway',
      'services',
      'shared',
      'libs',
      'engine',
      'dev',
      'deploy',
      'clients/sdk/dist',
      'dist/bundles',
    ])
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

  test('an unchanged build is not stale', () => {
    noteBuild(root, sourceStamp(root))
    expect(builtStamp(root)).toBe(sourceStamp(root))
  })

  test.each([
    ['another size', () => writeFile(source(), '{ }')],
    ['another time, older ones too', () => utimes(source(), 1_000, 1_000)],
    ['a new file', () => writeFile(join(root, 'libs', 'new.ts'), '')],
    ['another guide', () => writeFile(join(root, 'docs', 'cli.md'), '# CLI')],
    ['another configuration of the bundles', () => writeFile(join(root, 'deploy', 'vite.config.mjs'), '')],
    ['a removed file', () => rm(source())],
    ['another setting', () => writeFile(join(root, 'tsconfig.json'), '{"a":1}')],
  ])('%s makes the build stale', async (_what, change) => {
    const before = sourceStamp(root)
    await change()
    expect(sourceStamp(root)).not.toBe(before)
  })

  test('tests don’t affect the build', async () => {
    const before = sourceStamp(root)
    await writeFile(join(root, 'libs', 'new.test.ts'), '')
    expect(sourceStamp(root)).toBe(before)
  })

  test('built clients don’t affect the build', async () => {
    const before = sourceStamp(root)
    await writeFile(join(root, 'clients', 'sdk', 'dist', 'new.d.ts'), '')
    expect(sourceStamp(root)).toBe(before)
  })

  test('a build without its bundles has no stamp', async () => {
    noteBuild(root, 'x')
    expect(builtStamp(root)).toBe('x')
    await rm(join(root, 'dist', 'bundles'), { recursive: true })
    expect(builtStamp(root)).toBeNull()
  })

  test('an unfinished build has no stamp', () => {
    expect(builtStamp(root)).toBeNull()
    noteBuild(root, 'x')
    forgetBuild(root)
    expect(builtStamp(root)).toBeNull()
  })
})
