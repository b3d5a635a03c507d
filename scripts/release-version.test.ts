import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { versionedFiles, whyNoNotes, whyNotNext, withVersion } from './release-version.js'
import { repositoryPaths } from './source-files.js'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

describe('the next version', () => {
  it.each([
    ['0.2.0', '0.1.0'],
    ['0.1.1', '0.1.0'],
    ['1.0.0', '0.12.3'],
    ['0.10.0', '0.9.9'],
  ])('%s comes after %s', (next, before) => {
    expect(whyNotNext(next, before)).toBeNull()
  })

  it.each([
    ['0.1.0', '0.1.0'],
    ['0.9.9', '0.10.0'],
    ['1.0', '0.1.0'],
    ['v0.2.0', '0.1.0'],
    ['0.2.0-rc.1', '0.1.0'],
  ])('%s does not come after %s', (next, before) => {
    expect(whyNotNext(next, before)).toContain(next)
  })
})

describe('the files that name the version', () => {
  it.each(versionedFiles)('%s names the one of package.json, and takes the next', (file) => {
    const text = readFileSync(file, 'utf8')
    expect(text.replace(/-(\d+)-(\d+)-(\d+)$/m, '$1.$2.$3')).toContain(version)
    const next = withVersion(file, text, version, '99.98.97')
    expect(next).toMatch(/99[.-]98[.-]97/)
    expect(withVersion(file, next, '99.98.97', version)).toBe(text)
  })

  it('are all that name it', async () => {
    const paths = await repositoryPaths('.')
    const deployed = paths.filter((path) => /\.(yml|yaml|hcl)$|(^|\/)Dockerfile$/.test(path))
    const found = deployed.filter((path) => readFileSync(path, 'utf8').includes(version))
    expect(found.length).toBeGreaterThan(0)
    for (const file of found) expect(versionedFiles).toContain(file)
  })

  it('other packages of this version stay in the lockfile', () => {
    const lock = {
      version: '0.1.0',
      packages: { '': { version: '0.1.0' }, 'node_modules/x': { version: '0.1.0' } },
    }
    const next = withVersion('package-lock.json', JSON.stringify(lock), '0.1.0', '0.2.0')
    expect(JSON.parse(next)).toEqual({
      version: '0.2.0',
      packages: { '': { version: '0.2.0' }, 'node_modules/x': { version: '0.1.0' } },
    })
  })
})

describe('the notes of a release', () => {
  it('are the first section, with a date', () => {
    expect(whyNoNotes('# Changelog\n\n## 0.2.0 (2026-11-27)\n\n## 0.1.0 (2026-11-22)\n', '0.2.0')).toBeNull()
    expect(whyNoNotes('## 0.2.0 (unreleased)\n', '0.2.0')).toContain('no date')
    expect(whyNoNotes('## 0.2.0 (2026-11-27)\n', '0.3.0')).toContain('not 0.3.0')
  })

  it('are there for the version of package.json, or for the next one', () => {
    expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(`\n## ${version} (`)
  })
})
