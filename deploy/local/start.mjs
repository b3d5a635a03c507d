// Starts a checkout with nothing but Node: installs missing packages, builds stale sources, and continues in dist/.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { builtStamp, forgetBuild, noteBuild, sourceStamp, whyInstall } from './checkout.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Progress goes to stderr, so that `$(npm run --silent token -- NAME)` is only the token. */
function say(sentence) {
  process.stderr.write(`${sentence}\n`)
}

function fail(sentence) {
  say(sentence)
  process.exit(1)
}

function run(command, args) {
  const { status, signal, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (signal !== null && signal !== undefined) process.exit(130)
  return error === undefined && status === 0
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  fail(
    `Snipkeep needs Node 20.19 or later; this is ${process.versions.node}. Install a newer version from https://nodejs.org.`,
  )
}

function install() {
  const reason = whyInstall(root)
  if (reason === null) return
  say(`${reason} Running npm ci …`)
  const npm = process.env.npm_execpath
  // Under `npm run --silent`, npm would not even print its errors.
  const including = ['--include=dev', '--include=optional']
  const args = ['ci', '--ignore-scripts', ...including, '--no-audit', '--no-fund', '--loglevel=notice']
  const done = npm?.endsWith('.js') ? run(process.execPath, [npm, ...args]) : run('npm', args)
  if (!done) fail('Installing packages failed; see the npm output above. Fix that and start again.')
}

function build() {
  const stamp = sourceStamp(root)
  const built = builtStamp(root)
  if (built === stamp) return
  say('Building …')
  if (built === null) forgetBuild(root)
  const bundle = [join('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn']
  const steps = [
    [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json'],
    [...bundle, 'services/web/browser'],
    [...bundle, 'clients/cli'],
  ]
  if (!steps.every((step) => run(process.execPath, step)))
    fail('The build failed; see the compiler output above.')
  noteBuild(root, stamp)
}

checkNode()
process.chdir(root)
install()
build()
const [command] = process.argv.slice(2)
const entries = {
  token: 'local/development-issuer/print-token.js',
  doctor: 'doctor/main.js',
  operator: 'operator/main.js',
}
// These take arguments.
if (command === 'doctor' || command === 'operator') process.argv.splice(2, 1)
await import(pathToFileURL(join(root, 'dist', 'deploy', entries[command] ?? 'local/main.js')).href)
