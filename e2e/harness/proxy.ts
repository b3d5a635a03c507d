import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pageFence } from '#libs/testing/page-fence.js'
import { testPort } from '#libs/testing/test-port.js'
import { isReady } from './is-ready.js'
import { until } from './until.js'

/** A proxy in front of several gateways. */
export interface FrontProxy {
  readonly url: string
  stop(): Promise<void>
}

/** Where a proxy listens, and what it passes requests on to. */
interface ProxyPlan {
  readonly port: number
  /** The ports of the gateways. */
  readonly gateways: readonly number[]
  /** For its own files. */
  readonly folder: string
}

/** A program that proxies, and its configuration. */
interface ProxyProgram {
  readonly program: string
  /** The arguments with which it prints its version. */
  readonly version: readonly string[]
  arguments(configuration: string): readonly string[]
  configuration(plan: ProxyPlan): string
}

const listOf = (gateways: readonly number[], line: (port: number, index: number) => string): string =>
  gateways.map(line).join('')

/** Our configuration for compose, with these gateways in place of its own. */
function ofCompose({ port, gateways }: ProxyPlan): string {
  const servers = listOf(gateways, (gateway, index) => `  server gateway-${index + 1} 127.0.0.1:${gateway}\n`)
  return readFileSync('deploy/compose/haproxy.cfg', 'utf8')
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(' resolvers docker init-addr last,libc,none', '')
    .replace(/( {2}server gateway-\d .*\n)+/, servers)
    .replace(/resolvers docker\n[\s\S]*/, '')
}

/** The page whose configurations run here. Tests have no TLS, and make proxies compress JSON. */
const page = 'docs/reverse-proxy.md'

function ofHaproxy({ port, gateways }: ProxyPlan): string {
  return pageFence(page, 'defaults\n  mode http', [
    [/bind :443 .*/, `bind 127.0.0.1:${port}`],
    [
      'backend snipkeep\n',
      'backend snipkeep\n  compression algo gzip\n  compression type application/json\n',
    ],
    [
      / {2}server gateway1 127\.0\.0\.1:8080( .*\n)/,
      listOf(gateways, (gateway, index) => `  server gateway${index + 1} 127.0.0.1:${gateway}$1`),
    ],
  ])
}

function ofNginx({ port, gateways, folder }: ProxyPlan): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const shown = pageFence(page, 'upstream snipkeep', [
    ['  server 127.0.0.1:8080;\n', listOf(gateways, (gateway) => `  server 127.0.0.1:${gateway};\n`)],
    ['listen 443 ssl;', `listen 127.0.0.1:${port};`],
    [/( {2}ssl_certificate.*\n)+/, ''],
  ])
  return `
daemon off;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  gzip on;
  gzip_proxied any;
  gzip_types application/json;
  ${shown}
}
`
}

function ofCaddy({ port, gateways, folder }: ProxyPlan): string {
  const shown = pageFence(page, 'snippets.example {', [
    ['snippets.example {', `http://:${port} {\n  bind 127.0.0.1\n  encode gzip`],
    ['127.0.0.1:8080', listOf(gateways, (gateway) => `127.0.0.1:${gateway} `)],
  ])
  return `{\n  admin off\n  auto_https off\n  storage file_system ${folder}\n}\n${shown}`
}

const haproxy = {
  program: 'haproxy',
  version: ['-v'],
  arguments: (file: string) => ['-db', '-f', file],
}

const programs = {
  compose: { ...haproxy, configuration: ofCompose },
  haproxy: { ...haproxy, configuration: ofHaproxy },
  nginx: {
    program: 'nginx',
    version: ['-v'],
    arguments: (file) => ['-e', 'stderr', '-c', file],
    configuration: ofNginx,
  },
  caddy: {
    program: 'caddy',
    version: ['version'],
    arguments: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    configuration: ofCaddy,
  },
} as const satisfies Readonly<Record<string, ProxyProgram>>

/** What tests put in front of gateways: HAProxy as in compose, or a proxy as its page shows it. */
export type ProxyName = keyof typeof programs

/** Whether a proxy is installed. Where it is required, the test fails instead of being skipped. */
export function proxyIsInstalled(name: ProxyName): boolean {
  const { program, version } = programs[name]
  const found = spawnSync(program, version).status === 0
  if (!found && process.env.CI === 'true') throw new Error(`${program} is not installed`)
  return found
}

/** Starts a proxy in front of the gateways on these ports. */
export async function startProxy(name: ProxyName, gateways: readonly number[]): Promise<FrontProxy> {
  const port = await testPort()
  const folder = await mkdtemp(join(tmpdir(), 'snipkeep-proxy-'))
  const file = join(folder, 'configuration')
  const { program, ...kind } = programs[name]
  await writeFile(file, kind.configuration({ port, gateways, folder }))
  const env = { PATH: process.env.PATH ?? '', HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(program, kind.arguments(file), { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  const url = `http://127.0.0.1:${port}`
  await until(
    () => isReady(url),
    () => `no ${name}:\n${said.join('')}`,
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
