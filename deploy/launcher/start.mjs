// Starts a checkout with nothing but Node: installs missing packages, builds stale sources, and continues in dist/.
import module from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { builtStamp, forgetBuild, noteBuild, sourceStamp } from './checkout.mjs'
import { checkNode, fail, install, run, say } from './prepare.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

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
    [...bundle, 'deploy/launcher'],
  ]
  if (!steps.every((step) => run(process.execPath, step, root)))
    fail('The build failed; see the compiler output above.')
  noteBuild(root, stamp)
}

checkNode()
process.chdir(root)
install(root)
build()
const [command] = process.argv.slice(2)
const entries = {
  token: 'dev/issuer/print-token.js',
  doctor: 'deploy/doctor/main.js',
  operator: 'deploy/operator/main.js',
}
const entryOf = (path) => pathToFileURL(join(root, 'dist', path)).href
// Only the system itself: the other commands are also for an administrator, on data of another user.
if (!(command in entries)) {
  const { compileCacheIn } = await import(entryOf('deploy/launcher/compile-cache.js'))
  const folder = compileCacheIn(resolve(process.env.DATA_DIR || '.data'))
  if (folder !== null) module.enableCompileCache?.(folder)
}
// These take arguments.
if (command === 'doctor' || command === 'operator') process.argv.splice(2, 1)
await import(entryOf(entries[command] ?? 'deploy/launcher/main.js'))
