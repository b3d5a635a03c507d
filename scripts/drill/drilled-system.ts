import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createPortFinder } from '#libs/runtime/free-port.js'

/** A written record, and how to verify it. */
export interface Written {
  readonly id: string
  /** Of the bytes of `data`. */
  readonly sha256: string
}

/** The whole system on one database. */
export interface DrilledSystem {
  /** Writes this many snippets, some of them large, each with a share and a history entry. */
  write(count: number): Promise<readonly Written[]>
  /** An API key of the Pro user. */
  makeKey(): Promise<string>
  /** Someone else signs in and writes a little, with this marker in it; returns their account. */
  arrive(marker: string): Promise<string>
  /** That person deletes the account; resolves when it is erased. */
  leave(accountId: string): Promise<void>
  /** Why the records cannot be used as before; `null` if they can. */
  smoke(written: readonly Written[], key: string): Promise<string | null>
  stop(): Promise<void>
}

type Credentials = Readonly<Record<string, string>>

const largeBytes = 200_000
const requestTimeoutMs = 30_000
const script = (path: string): string => resolve('dist', path)

function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function memberOf(value: unknown, name: string): string {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  if (typeof found !== 'string') throw new Error(`the response has no ${name}`)
  return found
}

/** Every seventh is too large for its row and is stored in chunks. */
function dataOf(number: number): string {
  const text = randomBytes(number % 7 === 0 ? largeBytes / 2 : 40).toString('hex')
  return `{"n":${number}.0,"text":"${text}"}`
}

async function post(url: string, body: string, credentials: Credentials): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...credentials },
    signal: AbortSignal.timeout(requestTimeoutMs),
  })
  const text = await response.text()
  if (response.status !== 201) throw new Error(`${url} returned ${response.status}: ${text.slice(0, 200)}`)
  return JSON.parse(text)
}

async function writeOne(url: string, number: number, credentials: Credentials): Promise<Written> {
  const data = dataOf(number)
  const snippet = await post(
    `${url}/api/snippets`,
    `{"tool":"drill","title":"Number ${number}","data":${data}}`,
    credentials,
  )
  await post(
    `${url}/api/shares`,
    `{"tool":"drill","title":"Number ${number}","data":{"n":${number}}}`,
    credentials,
  )
  await post(`${url}/api/history`, '{"tool":"drill"}', credentials)
  return { id: memberOf(snippet, 'id'), sha256: sha256(data) }
}

async function whyNotAsBefore(
  url: string,
  { id, sha256: expected }: Written,
  credentials: Credentials,
): Promise<string | null> {
  const response = await fetch(`${url}/api/snippets/${id}/raw`, {
    headers: credentials,
    signal: AbortSignal.timeout(requestTimeoutMs),
  })
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (response.status !== 200) return `reading the snippet ${id} returns ${response.status}`
  return sha256(bytes) === expected ? null : `the bytes of the snippet ${id} have changed`
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise((resolve) => child.once('exit', resolve))
}

/** What survives a restart of the system: its secrets, and its issuer's URL. */
export interface DrillSetup {
  readonly dataDir: string
  readonly port: number
  readonly issuerPort: number
  readonly sandboxPort: number
}

/** Generates what survives. */
export async function chooseSetup(dataDir: string): Promise<DrillSetup> {
  const finder = createPortFinder()
  const [port, issuerPort, sandboxPort] = await Promise.all([finder.free(), finder.free(), finder.free()])
  return { dataDir, port, issuerPort, sandboxPort }
}

/** The account of these credentials. */
async function accountOf(url: string, credentials: Credentials): Promise<string> {
  const signal = AbortSignal.timeout(requestTimeoutMs)
  const response = await fetch(`${url}/api/auth/profile`, { headers: credentials, signal })
  if (response.status === 403) return ''
  return memberOf(await response.json(), 'id')
}

async function arrive(url: string, marker: string, credentials: Credentials): Promise<string> {
  const record = JSON.stringify({ tool: 'drill', title: marker, data: { marker } })
  for (const path of ['/api/snippets', '/api/shares']) await post(`${url}${path}`, record, credentials)
  await post(`${url}/api/history`, JSON.stringify({ tool: 'drill', title: marker }), credentials)
  return accountOf(url, credentials)
}

async function leave(url: string, accountId: string, credentials: Credentials): Promise<void> {
  const response = await fetch(`${url}/api/account`, {
    method: 'DELETE',
    body: JSON.stringify({ confirm: accountId }),
    headers: { 'Content-Type': 'application/json', ...credentials },
    signal: AbortSignal.timeout(requestTimeoutMs),
  })
  if (response.status !== 202) throw new Error(`deleting the account returned ${response.status}`)
  // A sign-in after the erasure makes a new account.
  while (['', accountId].includes(await accountOf(url, credentials))) await sleep(200)
}

const startsMax = 3

/**
 * Starts the system on a database and resolves when it responds; tries another port if one was taken
 * meanwhile.
 */
export async function startDrilledSystem(databaseUrl: string, setup: DrillSetup): Promise<DrilledSystem> {
  for (let starts = 1; ; starts += 1) {
    try {
      return await startOnce(databaseUrl, setup)
    } catch (error) {
      if (starts === startsMax) throw error
    }
  }
}

async function startOnce(
  databaseUrl: string,
  { dataDir, port, issuerPort, sandboxPort }: DrillSetup,
): Promise<DrilledSystem> {
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PORT: String(port),
    DEV_ISSUER_PORT: String(issuerPort),
    SANDBOX_PORT: String(sandboxPort),
    RATE_LIMIT_STRICT: 'off',
    RATE_LIMIT_STANDARD: 'off',
    RATE_LIMIT_FAIR_USE: 'off',
    LOG_LEVEL: 'error',
    ACCOUNT_ERASURE_DAYS: '0',
    // Makes the launcher stop when its parent is gone, as when npm is killed.
    npm_lifecycle_event: 'drill',
  }
  const child = spawn(process.execPath, [script('deploy/launcher/main.js')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  const abort = new AbortController()
  child.once('exit', () => abort.abort(new Error('The system ended while it was being started.')))
  // It prints its welcome once it is ready and the development users exist.
  await Promise.race([
    new Promise((resolve) => child.stdout.once('data', resolve)),
    new Promise((_resolve, reject) =>
      abort.signal.addEventListener('abort', () => reject(abort.signal.reason)),
    ),
  ])
  const tokenOf = async (name: string): Promise<Credentials> => {
    const args = [script('dev/issuer/print-token.js'), 'token', name]
    const { stdout } = await promisify(execFile)(process.execPath, args, { env })
    return { Authorization: `Bearer ${stdout.trim()}` }
  }
  const owner = await tokenOf('pro')
  return {
    async write(count) {
      const written: Written[] = []
      for (let number = 0; number < count; number += 1) written.push(await writeOne(url, number, owner))
      return written
    },
    makeKey: async () =>
      memberOf(await post(`${url}/api/keys`, '{"name":"drill","scopes":["read","write"]}', owner), 'key'),
    arrive: async (marker) => arrive(url, marker, await tokenOf('leaver')),
    leave: async (accountId) => leave(url, accountId, await tokenOf('leaver')),
    async smoke(written, key) {
      const keyed: Credentials = { 'X-API-Key': key }
      for (const one of written) {
        const why = (await whyNotAsBefore(url, one, owner)) ?? (await whyNotAsBefore(url, one, keyed))
        if (why !== null) return why
      }
      const more = await writeOne(url, 0, keyed)
      return whyNotAsBefore(url, more, owner)
    },
    async stop() {
      child.kill('SIGTERM')
      await ended(child)
    },
  }
}
