// Runs tests of a checkout with nothing but Node: installs missing packages first.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkNode, install } from './prepare.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

checkNode()
install(root)
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
