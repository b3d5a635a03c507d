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

/** Where a proxy listens, and what it passes requests on to. */
interface ProxyPlan {
  readonly port: number
  /** The ports of the gateways. */
  readonly gateways: readonly number[]
  /** Whether it compresses JSON. */
  readonly compresses: boolean
  /** For its own files. */
  readonly folder: string
}

/** A program that proxies. */
interface ProxyProgram {
  /** The arguments with which it prints its version. */
  readonly version: readonly string[]
  arguments(configuration: string): readonly string[]
  configuration(plan: ProxyPlan): Promise<string>
}

/** Our configuration for compose, with these gateways in place of its own. */
async function ofHaproxy({ port, gateways, compresses }: ProxyPlan): Promise<string> {
  const shipped = await readFile('deploy/compose/haproxy.cfg', 'utf8')
  const servers = gateways.map((gateway, index) => `  server gateway-${index + 1} 127.0.0.1:${gateway}\n`)
  const compression = '  compression algo gzip\n  compression type application/json\n'
  return shipped
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace('backend gateways\n', `backend gateways\n${compresses ? compression : ''}`)
    .replace(' resolvers docker init-addr last,libc,none', '')
    .replace(/( {2}server gateway-\d .*\n)+/, servers.join(''))
    .replace(/resolvers docker\n[\s\S]*/, '')
}

/** What docs/operations.md asks of a proxy. */
async function ofNginx({ port, gateways, compresses, folder }: ProxyPlan): Promise<string> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  gzip ${compresses ? 'on' : 'off'};
  gzip_proxied any;
  gzip_types application/json;
  upstream gateways {
    ${gateways.map((gateway) => `server 127.0.0.1:${gateway};`).join('\n    ')}
    keepalive 16;
    keepalive_timeout 60s;
  }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 51m;
    client_body_timeout 15m;
    send_timeout 15m;
    proxy_read_timeout 15m;
    proxy_send_timeout 15m;
    proxy_request_buffering off;
    proxy_buffering off;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    location / { proxy_pass http://gateways; }
  }
}
`
}

/** Caddy buffers nothing, has no such limits, and replaces what strangers claim in X-Forwarded-For by itself. */
async function ofCaddy({ port, gateways, compresses, folder }: ProxyPlan): Promise<string> {
  return `
{
  admin off
  auto_https off
  storage file_system ${folder}
}
http://:${port} {
  bind 127.0.0.1
  ${compresses ? 'encode gzip' : ''}
  reverse_proxy ${gateways.map((gateway) => `127.0.0.1:${gateway}`).join(' ')} {
    transport http {
      keepalive 60s
    }
  }
}
`
}

const programs = {
  haproxy: { version: ['-v'], arguments: (file) => ['-db', '-f', file], configuration: ofHaproxy },
  nginx: { version: ['-v'], arguments: (file) => ['-e', 'stderr', '-c', file], configuration: ofNginx },
  caddy: {
    version: ['version'],
    arguments: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    configuration: ofCaddy,
  },
} as const satisfies Readonly<Record<string, ProxyProgram>>

/** The programs that tests put in front of gateways. */
export type ProxyName = keyof typeof programs

/** Whether a proxy is installed. Where it is required, the test fails instead of being skipped. */
export function proxyIsInstalled(name: ProxyName = 'haproxy'): boolean {
  const found = spawnSync(name, programs[name].version).status === 0
  if (!found && process.env.CI === 'true') throw new Error(`${name} is not installed`)
  return found
}

/** Starts a proxy in front of the gateways on these ports. */
export async function startProxy(
  gateways: readonly number[],
  { name = 'haproxy', compresses = false }: { readonly name?: ProxyName; readonly compresses?: boolean } = {},
): Promise<FrontProxy> {
  const port = await testPort()
  const folder = await mkdtemp(join(tmpdir(), 'snipkeep-proxy-'))
  const file = join(folder, 'configuration')
  const program = programs[name]
  await writeFile(file, await program.configuration({ port, gateways, compresses, folder }))
  const env = { PATH: process.env.PATH ?? '', HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(name, program.arguments(file), { env, stdio: ['ignore', 'pipe', 'pipe'] })
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
