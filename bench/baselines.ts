import { fork } from 'node:child_process'

/** A running program of `bench/baselines`. */
export interface Baseline {
  readonly pid: number
  readonly baseUrl: string
  stop(): void
}

/** Starts `bench/baselines/NAME.mjs` with this environment. It ends with this process at the latest. */
export async function startBaseline(
  name: 'bare' | 'fastify' | 'monolith' | 'plain-pastebin' | 'refusal',
  env: Readonly<Record<string, string>> = {},
): Promise<Baseline> {
  const child = fork(`bench/baselines/${name}.mjs`, [], {
    execArgv: [],
    // Express then caches templates and hides stack traces, as in the gateway.
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', ...env },
  })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { port: number }).port))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the floor ${name} ended with ${code}`)))
  })
  return { pid: child.pid ?? 0, baseUrl: `http://127.0.0.1:${port}`, stop: () => child.kill() }
}
