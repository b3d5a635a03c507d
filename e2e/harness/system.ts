import { type ChildProcess, type Serializable, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { callUnary } from '#libs/grpc/call.js'
import { channelCredentials } from '#libs/grpc/client-options.js'
import { freePort } from '#libs/runtime/free-port.js'
import { createTestDatabase } from '#libs/testing/test-database.js'
import { AccountServiceClient } from '#proto/snipkeep/identity/v1/account_service.js'
import { Plan } from '#proto/snipkeep/plan/v1/plan.js'
import { type ApiClient, apiClient } from './api-client.js'
import { startTestIssuer, type TestIssuer } from './test-issuer.js'

type Env = Readonly<Record<string, string>>

/** One process of the system under test. */
export interface SystemProcess {
  readonly name: string
  readonly port: number
  readonly pid: number
  /** Everything that it has logged so far. */
  output(): string
  /** Ends it as a crash does, and resolves when it is gone. */
  kill(): Promise<void>
  /** Asks it to stop and gives its exit code. */
  terminate(): Promise<number | null>
  /** Starts it again with the same configuration on the same port. */
  restart(): Promise<void>
  /** Sends a message to it and gives the next one that it sends back. */
  ask(message: unknown): Promise<unknown>
}

/** The whole system as real processes over a database of its own. */
export interface TestSystem {
  readonly gateways: readonly SystemProcess[]
  readonly contents: readonly SystemProcess[]
  readonly identity: SystemProcess
  readonly web: SystemProcess
  readonly issuer: TestIssuer
  readonly databaseUrl: string
  /** The address of a gateway, the first unless another is asked for. */
  baseUrl(gateway?: number): string
  /** A client that calls as this user, holding this plan (Free unless said otherwise). */
  user(name: string, plan?: 'free' | 'pro', gateway?: number): Promise<ApiClient>
  /** A client without credentials. */
  anyone(gateway?: number): ApiClient
  stop(): Promise<void>
}

/** How many processes there are, and what is added to the environment of each kind. */
export interface SystemOptions {
  readonly gateways?: number
  readonly contents?: number
  readonly env?: Env
  readonly gatewayEnv?: Env
  readonly contentEnv?: Env | ((index: number) => Env)
  /** The Postgres server to make the database on; that of the test run unless given. */
  readonly serverUrl?: string
}

function exited(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)))
}

function startProcess(name: string, script: string, port: number, env: Env): SystemProcess {
  const output: string[] = []
  const launch = (): ChildProcess => {
    const child = spawn(process.execPath, [script], {
      env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'info', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => output.push(chunk.toString()))
    return child
  }
  let child = launch()
  return {
    name,
    port,
    get pid() {
      return child.pid ?? 0
    },
    output: () => output.join(''),
    async kill() {
      child.kill('SIGKILL')
      await exited(child)
    },
    async terminate() {
      child.kill('SIGTERM')
      return exited(child)
    },
    async restart() {
      child = launch()
    },
    ask: (message) =>
      new Promise((resolve) => {
        child.once('message', resolve)
        child.send(message as Serializable)
      }),
  }
}

async function migrate(script: string, env: Env): Promise<void> {
  const child = spawn(process.execPath, [script, 'migrate'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: 'inherit',
  })
  const code = await exited(child)
  if (code !== 0) throw new Error(`${script} migrate ended with ${code}`)
}

async function ready(url: string, processes: readonly SystemProcess[]): Promise<void> {
  const deadline = Date.now() + 30_000
  while (Date.now() < deadline) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.status === 200) return
    await sleep(50)
  }
  throw new Error(
    `not ready:\n${processes.map((one) => `${one.name}: ${one.output().slice(-2_000)}`).join('\n')}`,
  )
}

/** A gRPC target that is several addresses, over which calls are spread. */
function targetOf(ports: readonly number[]): string {
  return ports.length === 1
    ? `127.0.0.1:${ports[0]}`
    : `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(',')}`
}

/** Starts everything and resolves when every gateway is ready. */
export async function startSystem(options: SystemOptions = {}): Promise<TestSystem> {
  const [issuer, database] = await Promise.all([
    startTestIssuer(),
    createTestDatabase('e2e', options.serverUrl),
  ])
  const common: Env = { NODE_ENV: 'test', ...options.env }
  const stored: Env = { ...common, DATABASE_URL: database.url, GRPC_HOST: '127.0.0.1' }
  await migrate('dist/services/content/main.js', stored)
  await migrate('dist/services/identity/main.js', stored)

  const portsOf = (count: number): Promise<number[]> =>
    Promise.all(Array.from({ length: count }, () => freePort()))
  const [contentPorts, gatewayPorts, [identityPort = 0, webPort = 0]] = await Promise.all([
    portsOf(options.contents ?? 1),
    portsOf(options.gateways ?? 1),
    portsOf(2),
  ])
  const publicBaseUrl = `http://127.0.0.1:${gatewayPorts[0]}`
  const contentTarget = targetOf(contentPorts)
  const contentEnv = (index: number): Env =>
    typeof options.contentEnv === 'function' ? options.contentEnv(index) : (options.contentEnv ?? {})
  const contents = contentPorts.map((port, index) =>
    startProcess(`content-${index}`, 'dist/services/content/main.js', port, {
      ...stored,
      GRPC_PORT: String(port),
      ...contentEnv(index),
    }),
  )
  const identity = startProcess('identity', 'dist/services/identity/main.js', identityPort, {
    ...stored,
    GRPC_PORT: String(identityPort),
  })
  const web = startProcess('web', 'dist/services/web/main.js', webPort, {
    ...common,
    WEB_PORT: String(webPort),
    CONTENT_GRPC_TARGET: contentTarget,
    GRPC_INSECURE: 'true',
    PUBLIC_BASE_URL: publicBaseUrl,
  })
  const gateways = gatewayPorts.map((port, index) =>
    startProcess(`gateway-${index}`, 'dist/gateway/main.js', port, {
      ...common,
      PORT: String(port),
      PUBLIC_BASE_URL: publicBaseUrl,
      OIDC_ISSUERS: `${issuer.url}=${issuer.audience}`,
      CONTENT_GRPC_TARGET: contentTarget,
      IDENTITY_GRPC_TARGET: `127.0.0.1:${identityPort}`,
      GRPC_INSECURE: 'true',
      WEB_URL: `http://127.0.0.1:${webPort}`,
      ...options.gatewayEnv,
    }),
  )
  const processes = [...gateways, web, ...contents, identity]
  const baseUrl = (gateway = 0): string => `http://127.0.0.1:${gatewayPorts[gateway]}`
  await Promise.all(gatewayPorts.map((_port, index) => ready(baseUrl(index), processes)))

  const accounts = new AccountServiceClient(`127.0.0.1:${identityPort}`, channelCredentials())
  const holdPro = async (subject: string): Promise<void> => {
    const context = { requestId: 'e2e', timeoutMs: 10_000 }
    const claims = {
      issuer: issuer.url,
      subject,
      email: undefined,
      emailVerified: false,
      name: undefined,
      picture: undefined,
    }
    const { account } = await callUnary(accounts, accounts.resolveCaller, claims, context)
    await callUnary(
      accounts,
      accounts.setPlan,
      { accountId: account?.id ?? '', plan: Plan.PLAN_PRO, version: 1 },
      context,
    )
  }
  return {
    gateways,
    contents,
    identity,
    web,
    issuer,
    databaseUrl: database.url,
    baseUrl,
    async user(name, plan = 'free', gateway = 0) {
      if (plan === 'pro') await holdPro(name)
      return apiClient(baseUrl(gateway), await issuer.token(name))
    },
    anyone: (gateway = 0) => apiClient(baseUrl(gateway)),
    async stop() {
      accounts.close()
      await Promise.all(processes.map((one) => one.terminate()))
      await issuer.stop()
      await database.drop()
    },
  }
}
