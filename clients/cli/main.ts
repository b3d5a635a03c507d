import { readFileSync } from 'node:fs'
import { run } from './run.js'

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as {
  version: string
}
const interrupted = new AbortController()
// Once: whoever presses Ctrl-C again does not want to wait.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
// Whoever reads us has stopped, as `head` does.
process.stdout.on('error', () => interrupted.abort())

const { stdin, stdout, stderr, env } = process
// Never process.exit(): it would cut what is still being written.
process.exitCode = await run(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  version,
  signal: interrupted.signal,
})
stdin.destroy()
