import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testPort } from '#libs/testing/test-port.js'
import { isReady } from './is-ready.js'
import { until } from './until.js'

/** A proxy in front of several gateways. */
export interface FrontProxy {
  readonly url: string
  stop(): Promise<void>
}

/** Whether HAProxy is installed. Where it is required, the test fails instead of being skipped. */
export function proxyIsInstalled(): boolean {
  const found = spawnSync('haproxy', ['-v']).status === 0
  if (!found && process.env.CI === 'true') throw new Error('haproxy is not installed')
  return found
}

/** Our configuration for compose, with these gateways in place of its own. */
async function configuration(port: number, gateways: readonly number[]): Promise<string> {
  const shipped = await readFile('deploy/compose/haproxy.cfg', 'utf8')
  const servers = gateways.map((gateway, index) => `  server gateway-${index + 1} 127.0.0.1:${gateway}\n`)
  return shipped
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(' resolvers docker init-addr last,libc,none', '')
    .replace(/( {2}server gateway-\d .*\n)+/, servers.join(''))
    .replace(/resolvers docker\n[\s\S]*/, '')
}

/** Starts HAProxy in front of the gateways on these ports. */
export async function startProxy(gateways: readonly number[]): Promise<FrontProxy> {
  const port = await testPort()
  const folder = await mkdtemp(join(tmpdir(), 'snipkeep-proxy-'))
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, await configuration(port, gateways))
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  const url = `http://127.0.0.1:${port}`
  await until(
    () => isReady(url),
    () => `no proxy:\n${said.join('')}`,
  )
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
