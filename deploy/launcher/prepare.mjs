// What a checkout needs before anything in it can run: a version of Node, and packages.
import { spawnSync } from 'node:child_process'
import { whyInstall } from './checkout.mjs'

/** Progress goes to stderr, so that `$(npm run --silent token -- NAME)` is only the token. */
export function say(sentence) {
  process.stderr.write(`${sentence}\n`)
}

/** Ends the process. */
export function fail(sentence) {
  say(sentence)
  process.exit(1)
}

/** Whether the command ended well; what it prints goes to stderr. */
export function run(command, args, root) {
  const { status, signal, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (signal !== null && signal !== undefined) process.exit(130)
  return error === undefined && status === 0
}

/** Ends the process where Node is too old, and warns where its HTTP parser is. */
export function checkNode() {
  const [major, minor, patch] = process.versions.node.split('.').map(Number)
  if (major === 20 && minor === 19 && patch < 2)
    say(
      `The HTTP parser of Node ${process.versions.node} accepts malformed headers (CVE-2025-23167). Let nobody else reach this server, or install Node 20.19.2 or later.`,
    )
  if (major > 20 || (major === 20 && minor >= 19)) return
  fail(
    `Snipkeep needs Node 20.19.2 or later; this is ${process.versions.node}. Install a newer version from https://nodejs.org.`,
  )
}

/** Installs the packages of the lockfile, unless they are there. */
export function install(root) {
  const reason = whyInstall(root)
  if (reason === null) return
  say(`${reason} Running npm ci …`)
  const npm = process.env.npm_execpath
  // Under `npm run --silent`, npm would not even print its errors.
  const including = ['--include=dev', '--include=optional']
  const args = ['ci', '--ignore-scripts', ...including, '--no-audit', '--no-fund', '--loglevel=notice']
  const done = npm?.endsWith('.js') ? run(process.execPath, [npm, ...args], root) : run('npm', args, root)
  if (!done) fail('Installing packages failed; see the npm output above. Fix that and start again.')
}
