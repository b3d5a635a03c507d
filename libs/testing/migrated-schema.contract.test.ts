import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, inject, test, vi } from 'vitest'
import { createMigratedSchema } from './migrated-schema.js'

let release = ''

afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(release, { recursive: true, force: true })
})

test('the release in TEST_NEWER_RELEASE migrates the schema of the same service further', async () => {
  release = await mkdtemp(join(tmpdir(), 'snipkeep-newer-'))
  await mkdir(join(release, 'e2e/harness'), { recursive: true })
  const args = `[...process.argv.slice(2), process.env.MIGRATE_URL, process.env.MIGRATE_SCHEMA]`
  await writeFile(
    join(release, 'e2e/harness/run-migrations.mjs'),
    `import { writeFileSync } from 'node:fs'\nwriteFileSync('args.json', JSON.stringify(${args}))\n`,
  )
  vi.stubEnv('TEST_NEWER_RELEASE', release)
  const schema = await createMigratedSchema('newer', [{ name: '0001-first', up: async () => {} }])
  await schema.close()
  expect(JSON.parse(await readFile(join(release, 'args.json'), 'utf8'))).toEqual([
    'after',
    '0001-first',
    inject('databaseUrl'),
    expect.stringMatching(/^newer_/),
  ])
})
