import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

it('the end of a run says what was skipped, why, and what installs it', () => {
  const root = resolve(import.meta.dirname, '../..')
  // Inside the project, where vitest is found.
  const folder = mkdtempSync(resolve(root, 'node_modules', '.skipped-'))
  try {
    writeFileSync(
      resolve(folder, 'a.test.mjs'),
      `import { describe, it } from 'vitest'
describe.skipIf(true)('limits (needs Redis: there is no redis-server)', () => { it('a', () => {}); it('b', () => {}) })
it.skipIf(true)('restarts (needs haproxy)', () => {})
it.skipIf(true)('a device (needs root, to make one)', () => {})
describe.skipIf(true)('vectors (skipped: the corpus is not here; npm run corpora fetches it)', () => { it('a', () => {}) })
it('runs', () => {})
`,
    )
    const vitest = resolve(root, 'node_modules/vitest/vitest.mjs')
    const reporter = JSON.stringify(resolve(import.meta.dirname, 'skipped-reporter.ts'))
    writeFileSync(
      resolve(folder, 'vitest.config.mjs'),
      `import { skippedReporter } from ${reporter}; export default { test: { reporters: [skippedReporter] } }`,
    )
    const args = [vitest, 'run', '--root', folder]
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect(`${stdout}${stderr}`).toContain(
      `Skipped tests:
  2: needs Redis: there is no redis-server (apt-get install redis-server, or brew install redis)
  1: needs haproxy (apt-get install haproxy, or brew install haproxy)
  1: needs root, to make one
  1: the corpus is not here; npm run corpora fetches it
`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
