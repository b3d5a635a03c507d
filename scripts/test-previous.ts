import { execFile, spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { choosePrevious, isCoveredBy } from './previous-release.js'
import { testSummary } from './test-summary.js'

/** The modules whose tests run against the schemas; no others are affected. */
const tests = 'services/'
/** Laid over the older release, so that it applies the newer migrations after its own. */
const overlay = 'libs/testing/migrated-schema.ts'
const root = resolve('.')

async function git(...args: readonly string[]): Promise<string | null> {
  try {
    return (await promisify(execFile)('git', [...args], { cwd: root })).stdout.trim()
  } catch {
    return null
  }
}

function run(command: string, args: readonly string[], cwd: string, env = process.env): Promise<number> {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', () => done(1))
    child.once('exit', (code) => done(code ?? 1))
  })
}

async function installInto(folder: string): Promise<void> {
  const [theirs, ours] = await Promise.all(
    [folder, root].map((where) => readFile(join(where, 'package-lock.json'), 'utf8')),
  )
  if (isCoveredBy(theirs ?? '', ours ?? '')) {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  } else if ((await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], folder)) !== 0) {
    throw new Error('The packages of the release before could not be installed.')
  }
}

async function testRelease(folder: string): Promise<boolean> {
  await installInto(folder)
  await cp(join(root, overlay), join(folder, overlay))
  const report = join(folder, 'previous.json')
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
  const args = [
    vitest,
    'run',
    '--project',
    '*contract',
    tests,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  await run(process.execPath, args, folder, { ...process.env, TEST_NEWER_RELEASE: root })
  const { passed, failed } = testSummary([await readFile(report, 'utf8').catch(() => null)])
  console.log(`${passed} passed, ${failed} failed: the release before, on the schemas of this one`)
  return failed === 0
}

const asked = process.argv[2]
const tag = await git('describe', '--tags', '--abbrev=0', 'HEAD^')
const noted = await readFile('docs/previous-release.txt', 'utf8').catch(() => null)
const previous = choosePrevious(asked, tag, noted)
if ((await git('cat-file', '-e', `${previous}^{commit}`)) === null)
  throw new Error(`There is no commit ${previous} here; fetch it first: git fetch --unshallow --tags`)
const home = await mkdtemp(join(tmpdir(), 'snipkeep-previous-'))
const folder = join(home, 'release')
console.log(`The release before is ${previous}.`)
try {
  if ((await run('npm', ['run', '--silent', 'build'], root)) !== 0) throw new Error('The build failed.')
  if ((await git('worktree', 'add', '--detach', folder, previous)) === null)
    throw new Error(`${previous} could not be checked out.`)
  if (!(await testRelease(folder))) process.exitCode = 1
} finally {
  await git('worktree', 'remove', '--force', folder)
  await rm(home, { recursive: true, force: true })
}
