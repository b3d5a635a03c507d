import { createProxiedFetch } from './node-fetch.js'
import { namesProxy } from './proxy.js'
import { run } from './run.js'

/** Runs the command line of this process. */
export async function start(args: readonly string[], version: string): Promise<void> {
  const interrupted = new AbortController()
  // Once: a second Ctrl-C ends the process immediately.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
  // The reader has closed the pipe, as `head` does.
  process.stdout.on('error', () => interrupted.abort())

  const { stdin, stdout, stderr, env } = process
  // Node's own, of some versions that are supported, knows no proxies.
  if (namesProxy(env)) globalThis.fetch = createProxiedFetch(env)
  // Never process.exit(): it would cut off pending output.
  process.exitCode = await run(args, { stdin, stdout, stderr, env, version, signal: interrupted.signal })
  stdin.destroy()
}
