import { readFileSync } from 'node:fs'

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as {
  version: string
}
const args = process.argv.slice(2)
// Whoever asks for the version waits for nothing else.
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  // Its reader may have ended.
  process.stdout.on('error', () => {})
  process.stdout.write(`${version}\n`)
} else {
  const { start } = await import('./start.js')
  await start(args, version)
}
