import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { openApiDocument } from '../gateway/features/docs/openapi-document.js'
import { documentedOperations } from '../gateway/features/docs/testing/documented-operations.js'
import { versionedFiles, whyNoNotes, whyNotNext, withVersion } from './release-version.js'

function run(program: string, args: readonly string[], cwd = '.'): void {
  execFileSync(program, args, { cwd, stdio: 'inherit' })
}

/** Records the API and the protocol of this release, from which later ones may only grow. */
async function record(): Promise<void> {
  const base = 'http://localhost:8080'
  const { operations, close } = documentedOperations(base)
  try {
    const path = 'gateway/features/docs/released.json'
    await writeFile(path, `${JSON.stringify(openApiDocument(operations, base))}\n`)
    run('node_modules/.bin/biome', ['format', '--write', path])
  } finally {
    close()
  }
  run(
    resolve('node_modules/.bin/buf'),
    ['build', '--exclude-source-info', '--output', 'released.binpb'],
    'proto',
  )
}

/**
 * Makes the commit of a release: checks that it may be one, writes the version everywhere, and records the API and the
 * protocol. Then says what only a maintainer with accounts can do.
 */
async function release(version: string | undefined): Promise<void> {
  const { version: before } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }
  if (version === undefined) throw new Error('Usage: npm run release -- X.Y.Z')
  const status = execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' })
  const problem =
    whyNotNext(version, before) ??
    whyNoNotes(await readFile('CHANGELOG.md', 'utf8'), version) ??
    (status === '' ? null : 'There are changes that are not committed.')
  if (problem !== null) throw new Error(problem)
  for (const file of versionedFiles)
    await writeFile(file, withVersion(file, await readFile(file, 'utf8'), before, version))
  await record()
  run('npm', ['ci', '--dry-run', '--ignore-scripts', '--no-audit', '--no-fund'])
  run('npm', ['run', '--silent', 'check'])
  run('git', ['commit', '--all', '--quiet', '--message', `chore: release ${version}`])
  console.log(`Committed the release ${version}. What is left needs your accounts:
1. npm audit --omit=dev && npm audit signatures
2. npm run test:nightly, and npm run screenshots if pages have changed
3. git tag --sign v${version} && git push --follow-tags: the workflow "Release" tests, pushes the images and publishes the notes
4. npm publish clients/sdk/dist and dist/clients/cli, from the workflow's machine for their provenance
5. git rev-parse v${version} > docs/previous-release.txt, for npm run test:previous of the next release`)
}

await release(process.argv[2]).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
